import { z } from 'zod';

import { Done, done, pageOf, pageReply } from '../answers/envelope.ts';
import { Login, loginReply, oneSession, Revoked, Session } from '../answers/sessions.ts';
import {
  LoginDocument,
  LogoutDocument,
  LogoutEverywhereDocument,
  RefreshDocument,
  RevokeOtherSessionsDocument,
  RevokeSessionDocument,
  SessionsDocument,
} from '../generated/operations.ts';
import { OptionalPagination, offsetArguments } from '@foyer/shared/pagination';
import { refreshCookies, TOKEN_LIMIT, tokensOf } from '../refresh-cookies.ts';
import { route } from '../route.ts';
import { inCapitals, platform } from '../platform.ts';

const RefreshCookies = z.object({ cookie: z.string().optional() }).transform(({ cookie }) => refreshCookies(cookie));

/** Spec 1, "Auth service: public routes". */
export const sessions = [
  route('POST', '/api/v1/login', {
    token: 'ignored',
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
    answer: Login,
    reply: ({ login }) => loginReply(login),
  }),

  route('POST', '/api/v1/refresh', {
    token: 'ignored',
    document: RefreshDocument,
    input: z.object({
      body: z.object({ client_type: platform.optional(), refresh_token: z.string().max(TOKEN_LIMIT).optional() }),
      headers: RefreshCookies,
    }),
    variables: ({ body, headers: cookies }) => ({
      input: {
        clientType: body.client_type ? inCapitals[body.client_type] : null, // the use case refuses a missing one
        ...tokensOf(body.client_type === 'web' ? cookies : [body.refresh_token ?? ''].filter(Boolean)),
      },
    }),
    answer: Login,
    reply: ({ refresh }) => loginReply(refresh),
  }),

  ...(['/api/v1/protected/logout', '/api/v1/logout'] as const).map((url) =>
    route('POST', url, {
      token: 'optional', // the use case checks it where it must, and clears the cookies in any case
      document: LogoutDocument,
      input: z.object({ headers: RefreshCookies }),
      variables: ({ headers: cookies }) => ({
        input: { ...tokensOf(cookies), accessTokenRequired: url === '/api/v1/protected/logout' },
      }),
      answer: Done,
      reply: () => done,
    }),
  ),

  ...['', '/api/v1'].flatMap((prefix) => [
    route('GET', `${prefix}/sessions`, {
      document: SessionsDocument,
      input: z.object({ query: OptionalPagination }),
      variables: ({ query }) => offsetArguments(query),
      answer: pageOf(Session),
      reply: ({ sessions: found }, { query }) => pageReply(found, oneSession, query),
    }),
    route('POST', `${prefix}/sessions/:id/revoke`, {
      document: RevokeSessionDocument,
      input: z.object({ params: z.object({ id: z.string() }) }),
      variables: ({ params }) => params,
      answer: Revoked,
      reply: ({ revokeSession }) => ({ ...done, revoked: revokeSession.count }),
    }),
    route('POST', `${prefix}/sessions/revoke-others`, {
      document: RevokeOtherSessionsDocument,
      input: z.object({}),
      variables: () => ({}),
      answer: Revoked,
      reply: ({ revokeOtherSessions }) => ({ ...done, revoked: revokeOtherSessions.count }),
    }),
    route('POST', `${prefix}/logout/all`, {
      document: LogoutEverywhereDocument,
      input: z.object({}),
      variables: () => ({}),
      answer: Revoked,
      reply: ({ logoutEverywhere }) => ({ ...done, revoked: logoutEverywhere.count }),
    }),
  ]),
];
