import { RequestSignupCodeDocument, SelfSignupDocument } from '../generated/operations.ts';
import type { PageContext, Refused } from './page-context.ts';
import { backToLogin, showForm } from './form.ts';

export function showSignUp(context: PageContext, refused?: Refused) {
  const { words } = context;
  const form = { ...words.signUp, submit: words.signUp.submitEmail, action: '/login/sign-up' };
  return showForm(context, { ...form, fields: ['email'], links: backToLogin(context) }, refused);
}

export async function sendCode(context: PageContext) {
  try {
    await context.run(RequestSignupCodeDocument, { email: context.params['email'] ?? '' });
    return showApplication(context);
  } catch (error) {
    return showSignUp(context, context.explain(error));
  }
}

function showApplication(context: PageContext, refused?: Refused) {
  const { words, params } = context;
  const email = params['email'] ?? '';
  return showForm(
    context,
    {
      ...words.signUp,
      lead: words.signUp.codeLead(email),
      action: '/login/sign-up/application',
      fields: ['code', 'organizationName', 'companyCode', 'givenName', 'familyName', 'phone', 'website'],
      hidden: { email },
      links: backToLogin(context),
    },
    refused,
  );
}

export async function apply(context: PageContext) {
  const { words, params } = context;
  const { email = '', code = '', organizationName = '', companyCode = '', givenName = '', familyName = '' } = params;
  const optional = { phone: params['phone'] || null, website: params['website'] || null };
  try {
    const { selfSignup } = await context.run(SelfSignupDocument, {
      input: { email, code, organizationName, companyCode, givenName, familyName, ...optional },
    });
    const lead = words.signUp.done(selfSignup.name);
    return context.show('message.eta', { title: words.signUp.doneTitle, lead, links: backToLogin(context) });
  } catch (error) {
    return showApplication(context, context.explain(error));
  }
}
