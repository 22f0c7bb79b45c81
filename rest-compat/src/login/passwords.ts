import {
  ChangePasswordDocument,
  ConfirmPasswordResetDocument,
  PasswordRulesDocument,
  RequestPasswordResetDocument,
} from '../generated/operations.ts';
import type { Desk, Refused } from './desk.ts';
import { backToSignIn, showForm } from './form.ts';

export const rulesOf = async (desk: Desk) => (await desk.run(PasswordRulesDocument, {})).passwordRules;

/** `?first=1`: the person must choose one, and so need not know the current one (the mutation has the last word). */
export async function showPasswordChange(desk: Desk, refused?: Refused) {
  const { words, viewer, asked } = desk;
  if (viewer?.kind !== 'staff') return desk.leave('/login?redirect_uri=/login/password');
  const first = asked['first'] === '1' && refused?.code !== 'CURRENT_PASSWORD_REQUIRED';
  return showForm(
    desk,
    {
      ...words.password,
      lead: first ? words.password.forced : words.password.lead,
      action: '/login/password',
      fields: first ? ['newPassword'] : ['currentPassword', 'newPassword'],
      hidden: first ? { first: '1' } : {},
      rules: await rulesOf(desk),
    },
    refused,
  );
}

export async function choosePassword(desk: Desk) {
  const { currentPassword = '', newPassword = '' } = desk.asked;
  try {
    await desk.run(ChangePasswordDocument, { input: { currentPassword: currentPassword || null, newPassword } });
    return desk.leave(desk.redirectUri ?? '/login/devices');
  } catch (error) {
    return showPasswordChange(desk, desk.explain(error));
  }
}

export function showForgotten(desk: Desk, refused?: Refused) {
  const { words } = desk;
  return showForm(
    desk,
    { ...words.forgot, action: '/login/forgot', fields: ['companyCode', 'email'], links: backToSignIn(desk) },
    refused,
  );
}

export async function askForReset(desk: Desk) {
  const { email = '', companyCode = '' } = desk.asked;
  const { words } = desk;
  try {
    await desk.run(RequestPasswordResetDocument, { input: { email, companyCode } });
    return desk.show('message.eta', {
      title: words.forgot.sentTitle,
      lead: words.forgot.sent,
      links: backToSignIn(desk),
    });
  } catch (error) {
    return showForgotten(desk, desk.explain(error));
  }
}

export async function showReset(desk: Desk, refused?: Refused) {
  const { words, asked } = desk;
  return showForm(
    desk,
    {
      ...words.reset,
      action: '/reset-password',
      fields: ['newPassword'],
      hidden: { token: asked['token'] ?? '' },
      rules: await rulesOf(desk),
      links: [{ href: '/login/forgot', text: words.forgot.title }],
    },
    refused,
  );
}

export async function confirmReset(desk: Desk) {
  const { token = '', newPassword = '' } = desk.asked;
  try {
    await desk.run(ConfirmPasswordResetDocument, { input: { token, password: newPassword } });
    return desk.go('/login', { notice: 'passwordChosen' });
  } catch (error) {
    return showReset(desk, desk.explain(error));
  }
}
