import { z } from 'zod';

import { LoginDocument, LogoutDocument, RefreshDocument, type SignInPartsFragment } from '../generated/operations.ts';
import { route } from '../route.ts';

const platform = z.enum(['web', 'mobile'], 'must be web or mobile');
const inCapitals = { web: 'WEB', mobile: 'MOBILE' } as const;

/** Web clients get their tokens as cookies and never in a body (decisions: response shapes). */
const signIn = (session: SignInPartsFragment) => {
  const { user, accessToken, refreshToken } = session;
  return {
    success: true,
    ...(accessToken && refreshToken && { access_token: accessToken, refresh_token: refreshToken }),
    user: {
      id: user.id,
      username: user.username,
      email: user.email,
      first_name: user.firstName,
      last_name: user.lastName,
    },
    expires_in: session.expiresIn,
    password_change_required: session.passwordChangeRequired,
  };
};

const RefreshCookie = z.object({ refresh_token: z.string().max(4_096).optional() });

/** Spec 1, "Auth service: public routes". */
export const sessions = [
  route('POST', '/api/v1/login', {
    document: LoginDocument,
    input: z.object({
      headers: z.object({ 'service-platform': platform.default('web') }),
      body: z.object({
        username: z.string().min(1).max(200),
        password: z.string().min(1).max(200),
        company_code: z.string().max(100).optional(),
      }),
    }),
    variables: ({ headers, body }) => ({
      input: {
        username: body.username,
        password: body.password,
        companyCode: body.company_code ?? null,
        platform: inCapitals[headers['service-platform']],
      },
    }),
    reply: ({ login }) => signIn(login),
  }),

  route('POST', '/api/v1/refresh', {
    document: RefreshDocument,
    input: z.object({
      body: z.object({ client_type: platform, refresh_token: z.string().max(4_096).optional() }),
      cookies: RefreshCookie,
    }),
    variables: ({ body, cookies }) => ({
      input: {
        clientType: inCapitals[body.client_type],
        refreshToken: (body.client_type === 'mobile' ? body.refresh_token : cookies.refresh_token) ?? null,
      },
    }),
    reply: ({ refresh }) => signIn(refresh),
  }),

  ...(['/api/v1/protected/logout', '/api/v1/logout'] as const).map((url) =>
    route('POST', url, {
      document: LogoutDocument,
      input: z.object({ cookies: RefreshCookie }),
      variables: ({ cookies }) => ({
        input: {
          refreshToken: cookies.refresh_token ?? null,
          accessTokenRequired: url === '/api/v1/protected/logout',
        },
      }),
      reply: () => ({ success: true }),
    }),
  ),
];
