import { RequestSignupCodeDocument, SelfSignupDocument } from '../generated/operations.ts';
import type { Desk, Refused } from './desk.ts';
import { backToSignIn, showForm } from './form.ts';

export function showSignUp(desk: Desk, refused?: Refused) {
  const { words } = desk;
  const form = { ...words.signUp, submit: words.signUp.submitEmail, action: '/login/sign-up' };
  return showForm(desk, { ...form, fields: ['email'], links: backToSignIn(desk) }, refused);
}

export async function sendCode(desk: Desk) {
  try {
    await desk.run(RequestSignupCodeDocument, { email: desk.asked['email'] ?? '' });
    return showApplication(desk);
  } catch (error) {
    return showSignUp(desk, desk.explain(error));
  }
}

function showApplication(desk: Desk, refused?: Refused) {
  const { words, asked } = desk;
  const email = asked['email'] ?? '';
  return showForm(
    desk,
    {
      ...words.signUp,
      lead: words.signUp.codeLead(email),
      action: '/login/sign-up/application',
      fields: ['code', 'organizationName', 'companyCode', 'givenName', 'familyName', 'phone', 'website'],
      hidden: { email },
      links: backToSignIn(desk),
    },
    refused,
  );
}

export async function apply(desk: Desk) {
  const { words, asked } = desk;
  const { email = '', code = '', organizationName = '', companyCode = '', givenName = '', familyName = '' } = asked;
  const optional = { phone: asked['phone'] || null, website: asked['website'] || null };
  try {
    const { selfSignup } = await desk.run(SelfSignupDocument, {
      input: { email, code, organizationName, companyCode, givenName, familyName, ...optional },
    });
    const lead = words.signUp.done(selfSignup.name);
    return desk.show('message.eta', { title: words.signUp.doneTitle, lead, links: backToSignIn(desk) });
  } catch (error) {
    return showApplication(desk, desk.explain(error));
  }
}
