import { randomUUID } from 'node:crypto';

import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { authenticateRequest } from '@foyer/shared/auth/authentication';
import { errorReply, setCookieHeader, type ErrorBody } from '@foyer/shared/http/error-body';
import type { SetCookie } from '@foyer/shared/http/request';
import { requestScope } from '@foyer/shared/http/request-scope';
import type { Viewer } from '@foyer/shared/auth/viewer';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';

import { dataOf } from '../data-of.ts';
import { page } from '../page.ts';
import { refreshCookies } from '../refresh-cookies.ts';
import { countRequest, OtherAnswer, operation, type Edge } from '../route.ts';
import { LANGUAGE_COOKIE, languages, tagOf, type Language } from '@foyer/shared/http/language';

import { isLanguage, languageOf, nameOf } from './language.ts';
import { allowedRedirect } from './redirect-uri.ts';
import { refusalWords, wordsIn } from './words.ts';
import type { Words } from './words/words.ts';

/** The request of a page of the login app, and the ways to answer it. */
export interface PageContext {
  words: Words;
  language: Language;
  viewer: Viewer | null;
  /** The refresh tokens that came along; only under the documented path of their cookie. */
  refreshTokens: readonly string[];
  /** The text fields of the query and of the form. */
  params: Record<string, string>;
  /** Where to go after the login, if that is allowed. */
  redirectUri: string | undefined;
  /** Where customers sign in to the shop. */
  shop: string | undefined;
  /** Runs an operation for this viewer, and adds its cookies to the answer. @throws {GraphQLError} */
  run<Data, Variables>(document: TypedDocumentNode<Data, Variables>, variables: Variables): Promise<Data>;
  /** Returns what the page shows of a refusal. @throws any other error */
  explain(error: unknown): Refused;
  show(view: string, data: Shown, refused?: Refused): OtherAnswer;
  /** Redirects (303) to another page of the app, with this query and `redirect_uri`. */
  go(path: string, query?: Record<string, string>): OtherAnswer;
  /** Returns the path of another page of the app, with `redirect_uri` in its query. */
  link(path: string, query?: Record<string, string>): string;
  leave(url: string): OtherAnswer;
}

export interface Refused {
  code: string;
  status: number;
  text: string;
  /** Fields that must be typed again. */
  fields: readonly string[];
  /** Seconds. */
  retryAfter?: number | undefined;
}

/** The data of a view. The hidden fields of its form lead to it again, such as the token of a mail. */
interface Shown {
  hidden?: readonly (readonly [name: string, value: string])[];
  [name: string]: unknown;
}

type Page = (context: PageContext) => Promise<OtherAnswer> | OtherAnswer;

const YEAR_SECONDS = 365 * 86_400;

/** Each field may be sent once, and has a limited length; anything else counts as no fields at all. */
const Fields = z.record(z.string().max(100), z.string().max(4_096)).catch({});

/** Mounts a page: GET shows it, and its forms are posted to the same path. */
export function mountPage(
  app: FastifyInstance,
  edge: Edge,
  url: string,
  { get, post }: Record<'get' | 'post', Page>,
): void {
  app.route({ method: 'GET', url, handler: (request, response) => answer(edge, get, request, response) });
  app.route({
    method: 'POST',
    url,
    config: { takes: 'form' },
    handler: (request, response) => answer(edge, post, request, response),
  });
}

async function answer(edge: Edge, show: Page, request: FastifyRequest, response: FastifyReply) {
  const context = await openPageContext(edge, request, response);
  let page: OtherAnswer;
  try {
    page = await show(context);
  } catch (error) {
    request.log.error({ err: error, requestId: request.id }, 'request failed');
    page = showTrouble(context);
  }
  return page.send(response);
}

function showTrouble({ words, link, show }: PageContext): OtherAnswer {
  const links = [{ href: link('/login'), text: words.backToLogin }];
  const refused = { code: 'INTERNAL_SERVER_ERROR', status: 500, text: words.trouble, fields: [] };
  return show('message.eta', { title: 'Foyer', links }, refused);
}

async function openPageContext(edge: Edge, request: FastifyRequest, response: FastifyReply): Promise<PageContext> {
  const params = { ...Fields.parse(request.query), ...Fields.parse(request.body ?? {}) };
  const language = languageOf(params['lang'], request.cookies[LANGUAGE_COOKIE], request.headers['accept-language']);
  if (isLanguage(params['lang'])) response.header('set-cookie', languageCookie(language, edge.config));
  const words = wordsIn(language);
  const redirectUri = allowedRedirect(params['redirect_uri'], edge.config.allowedOrigins);
  const authentication = await authenticateRequest(edge.authenticate, request.headers, 'optional');
  const scope = requestScope(request, response, authentication.viewer);
  await countRequest(edge, scope);
  scope.client.language = language;

  const link = (path: string, query: Record<string, string> = {}) => {
    const search = new URLSearchParams({ ...query, ...(redirectUri && { redirect_uri: redirectUri }) }).toString();
    return search ? `${path}?${search}` : path;
  };
  return {
    words,
    language,
    viewer: authentication.viewer,
    refreshTokens: refreshCookies(request.headers.cookie),
    params,
    redirectUri,
    shop: edge.config.storefrontAccountUrl,
    async run(document, variables) {
      const result = await edge.execute(operation(document, variables), scope);
      const cookies = scope.reply.cookies.splice(0);
      for (const cookie of [...cookies, ...signedInCookie(cookies)])
        response.header('set-cookie', setCookieHeader(cookie));
      return dataOf(result) as never;
    },
    explain: (error) => explain(words, error, request.id),
    show(view, data, refused) {
      if (refused?.retryAfter) response.header('retry-after', refused.retryAfter);
      const frame = {
        words,
        lang: tagOf[language],
        languages: languageLinks(request, redirectUri, data.hidden),
        refused,
      };
      return page(
        `login/${view}`,
        { ...data, ...frame },
        {
          status: refused?.status ?? 200,
          formAction: ["'self'", ...edge.config.allowedOrigins].join(' '),
          script: "'self'",
        },
      );
    },
    go: (path, query) => seeOther(link(path, query)),
    link,
    leave: seeOther,
  };
}

function explain(words: Words, error: unknown, requestId: string): Refused {
  const { status, body, retryAfter } = errorReply(error, requestId);
  if (body.code === 'INTERNAL_SERVER_ERROR') throw error;
  const wait = retryAfter ? ` ${words.wait(Math.ceil(retryAfter / 60))}` : '';
  return { code: body.code, status, text: refusalWords(words, body) + wait, fields: fieldsOf(body), retryAfter };
}

const InputErrors = z.array(z.object({ path: z.string() })).catch([]);

const fieldsOf = (body: ErrorBody) => InputErrors.parse(body['errors']).map(({ path }) => path);

const seeOther = (location: string) => new OtherAnswer((response) => response.redirect(location, 303));

/** Returns links to this page in the other languages; after a form, to the page without what was typed. */
function languageLinks({ url }: FastifyRequest, redirectUri: string | undefined, hidden: Shown['hidden'] = []) {
  const here = new URL(url, 'http://foyer');
  for (const [name, value] of hidden) here.searchParams.set(name, value);
  if (redirectUri) here.searchParams.set('redirect_uri', redirectUri);
  return languages.map((language) => {
    here.searchParams.set('lang', language);
    return { name: nameOf[language], tag: tagOf[language], href: `${here.pathname}${here.search}` };
  });
}

const languageCookie = (language: Language, { production }: Edge['config']) =>
  setCookieHeader({
    name: LANGUAGE_COOKIE,
    value: language,
    path: '/',
    maxAgeSeconds: YEAR_SECONDS,
    httpOnly: false, // the shop reads and writes it, too
    secure: production,
    sameSite: 'Lax',
  });

/**
 * The cookie from which scripts of the shop know that somebody may be signed in: those of the session they can't read. It
 * proves nothing, and is set and cleared with the session, with another value for each.
 */
function signedInCookie(cookies: readonly SetCookie[]): SetCookie[] {
  const session = cookies.find(({ name }) => name === 'refresh_token');
  if (!session) return [];
  const { domain: _host, ...rest } = session;
  const value = session.value && randomUUID();
  return [{ ...rest, name: 'foyer_staff', path: '/', value, httpOnly: false }];
}
