import { LoginDocument } from '../generated/operations.ts';
import type { PageContext, Refused } from './page-context.ts';
import { showForm } from './form.ts';

const noticeNames = ['ended', 'passwordChosen', 'noPassword'] as const;

export function showLogin(context: PageContext, refused?: Refused) {
  const { words, params, redirectUri, link } = context;
  const notice = noticeNames.find((name) => name === params['notice']);
  const strange = params['redirect_uri'] && !redirectUri ? words.login.strangeRedirect : undefined;
  return showForm(
    context,
    {
      ...words.login,
      notice: strange ?? (notice && !refused ? words.login[notice] : undefined),
      action: '/login',
      fields: ['companyCode', 'username', 'password'],
      links: [
        { href: link('/login/forgot'), text: words.login.forgot },
        { href: link('/login/sign-up'), text: words.login.signUp },
      ],
    },
    refused,
  );
}

export async function login(context: PageContext) {
  const { username = '', password = '', companyCode = '' } = context.params;
  try {
    const { login } = await context.run(LoginDocument, { input: { username, password, companyCode, platform: 'WEB' } });
    return continueAfterLogin(context, login);
  } catch (error) {
    return showLogin(context, context.explain(error));
  }
}

/** Redirects after a login: to the password page if the password must be changed, else to where the user wanted to go. */
export function continueAfterLogin(
  context: PageContext,
  { passwordChangeRequired }: { passwordChangeRequired: boolean },
) {
  if (passwordChangeRequired) return context.go('/login/password', { first: '1' });
  return context.leave(context.redirectUri ?? '/login/devices');
}
