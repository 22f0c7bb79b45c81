import {
  ChangePasswordDocument,
  ConfirmPasswordResetDocument,
  PasswordRulesDocument,
  RequestPasswordResetDocument,
} from '../generated/operations.ts';
import type { PageContext, Refused } from './page-context.ts';
import { backToLogin, showForm } from './form.ts';

export const rulesOf = async (context: PageContext) => (await context.run(PasswordRulesDocument, {})).passwordRules;

/** `?first=1`: a first password is chosen without the current one, if the mutation agrees. */
export async function showPasswordChange(context: PageContext, refused?: Refused) {
  const { words, viewer, params } = context;
  const isFirst = params['first'] === '1';
  if (viewer?.kind !== 'staff')
    return isFirst
      ? context.go('/login', { notice: 'noPassword' })
      : context.leave('/login?redirect_uri=/login/password');
  const first = isFirst && refused?.code !== 'CURRENT_PASSWORD_REQUIRED';
  return showForm(
    context,
    {
      ...words.password,
      lead: first ? words.password.forced : words.password.lead,
      action: '/login/password',
      fields: first ? ['newPassword'] : ['currentPassword', 'newPassword'],
      hidden: first ? { first: '1' } : {},
      rules: await rulesOf(context),
    },
    refused,
  );
}

export async function choosePassword(context: PageContext) {
  const { currentPassword = '', newPassword = '' } = context.params;
  try {
    await context.run(ChangePasswordDocument, { input: { currentPassword: currentPassword || null, newPassword } });
    return context.leave(context.redirectUri ?? '/login/devices');
  } catch (error) {
    return showPasswordChange(context, context.explain(error));
  }
}

export function showForgotten(context: PageContext, refused?: Refused) {
  const { words } = context;
  return showForm(
    context,
    { ...words.forgot, action: '/login/forgot', fields: ['companyCode', 'email'], links: backToLogin(context) },
    refused,
  );
}

export async function askForReset(context: PageContext) {
  const { email = '', companyCode = '' } = context.params;
  const { words } = context;
  try {
    await context.run(RequestPasswordResetDocument, { input: { email, companyCode } });
    return context.show('message.eta', {
      title: words.forgot.sentTitle,
      lead: words.forgot.sent,
      links: backToLogin(context),
    });
  } catch (error) {
    return showForgotten(context, context.explain(error));
  }
}

export async function showReset(context: PageContext, refused?: Refused) {
  const { words, params } = context;
  return showForm(
    context,
    {
      ...words.reset,
      action: '/reset-password',
      fields: ['newPassword'],
      hidden: { token: params['token'] ?? '' },
      rules: await rulesOf(context),
      links: [{ href: '/login/forgot', text: words.forgot.title }],
    },
    refused,
  );
}

export async function confirmReset(context: PageContext) {
  const { token = '', newPassword = '' } = context.params;
  try {
    await context.run(ConfirmPasswordResetDocument, { input: { token, password: newPassword } });
    return context.go('/login', { notice: 'passwordChosen' });
  } catch (error) {
    return showReset(context, context.explain(error));
  }
}
