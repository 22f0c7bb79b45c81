import { LoginDocument } from '../generated/operations.ts';
import type { Desk, Refused } from './desk.ts';
import { showForm } from './form.ts';

const notices = ['ended', 'passwordChosen'] as const;

export function showSignIn(desk: Desk, refused?: Refused) {
  const { words, asked, redirectUri, link } = desk;
  const notice = notices.find((name) => name === asked['notice']);
  const strange = asked['redirect_uri'] && !redirectUri ? words.signIn.strangeRedirect : undefined;
  return showForm(
    desk,
    {
      ...words.signIn,
      notice: strange ?? (notice && !refused ? words.signIn[notice] : undefined),
      action: '/login',
      fields: ['companyCode', 'username', 'password'],
      links: [
        { href: link('/login/forgot'), text: words.signIn.forgot },
        { href: link('/login/sign-up'), text: words.signIn.signUp },
      ],
    },
    refused,
  );
}

export async function signIn(desk: Desk) {
  const { username = '', password = '', companyCode = '' } = desk.asked;
  try {
    const { login } = await desk.run(LoginDocument, { input: { username, password, companyCode, platform: 'WEB' } });
    return goOn(desk, login);
  } catch (error) {
    return showSignIn(desk, desk.explain(error));
  }
}

/** Where a person who has just signed in goes: first to a password of their own, if they must. */
export function goOn(desk: Desk, { passwordChangeRequired }: { passwordChangeRequired: boolean }) {
  if (passwordChangeRequired) return desk.go('/login/password', { first: '1' });
  return desk.leave(desk.redirectUri ?? '/login/devices');
}
