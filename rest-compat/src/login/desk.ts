import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { authenticateIfAny } from '@foyer/shared/auth/authentication';
import { errorReply, setCookieHeader, type ErrorBody } from '@foyer/shared/http/error-body';
import type { Viewer } from '@foyer/shared/auth/viewer';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';

import { page } from '../page.ts';
import { countRequest, dataOf, OtherAnswer, operation, scopeOf, type Edge } from '../route.ts';
import { isLanguage, languageOf, languages, nameOf, tagOf, type Language } from './language.ts';
import { allowedRedirect } from './redirect-uri.ts';
import { refusalWords, wordsIn, type Words } from './words.ts';

/** What a page of the login app works with: one person's request, and ways to answer it. */
export interface Desk {
  words: Words;
  language: Language;
  viewer: Viewer | null;
  /** Text fields of the address and of the form; what is missing is empty. */
  asked: Record<string, string>;
  /** Where the person wants to go after signing in, if that is allowed. */
  redirectUri: string | undefined;
  /** Runs one operation as this person; its cookies go out with the answer, whichever it is. @throws {GraphQLError} */
  run<Data, Variables>(document: TypedDocumentNode<Data, Variables>, variables: Variables): Promise<Data>;
  /** What a refusal says to this person. @throws what is no refusal */
  explain(error: unknown): Refused;
  show(view: string, data: object, refused?: Refused): OtherAnswer;
  /** To another page (303), keeping what is given and `redirect_uri` in its query. */
  go(path: string, query?: Record<string, string>): OtherAnswer;
  /** The address of another page of the app, with `redirect_uri` kept. */
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

type Page = (desk: Desk) => Promise<OtherAnswer> | OtherAnswer;

const COOKIE = 'foyer_language';
const YEAR_SECONDS = 365 * 86_400;

/** Fields come once, and short. */
const Fields = z.record(z.string().max(100), z.string().max(4_096)).catch({});

/** Mounts a page: it is reached by GET, and the forms on it come back to the same address. */
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
  const desk = await openDesk(edge, request, response);
  try {
    return (await show(desk)).send(response);
  } catch (error) {
    request.log.error({ err: error, requestId: request.id }, 'request failed');
    return showTrouble(desk).send(response);
  }
}

function showTrouble({ words, link, show }: Desk): OtherAnswer {
  const links = [{ href: link('/login'), text: words.backToSignIn }];
  const refused = { code: 'INTERNAL_SERVER_ERROR', status: 500, text: words.trouble, fields: [] };
  return show('message.eta', { title: 'Foyer', links }, refused);
}

async function openDesk(edge: Edge, request: FastifyRequest, response: FastifyReply): Promise<Desk> {
  const asked = { ...Fields.parse(request.query), ...Fields.parse(request.body ?? {}) };
  const language = languageOf(asked['lang'], request.cookies[COOKIE], request.headers['accept-language']);
  if (isLanguage(asked['lang'])) response.header('set-cookie', languageCookie(language, edge.config));
  const words = wordsIn(language);
  const redirectUri = allowedRedirect(asked['redirect_uri'], edge.config.allowedOrigins);
  const authentication = await authenticateIfAny(edge.authenticate, request.headers);
  await countRequest(edge, request, authentication);

  const link = (path: string, query: Record<string, string> = {}) => {
    const search = new URLSearchParams({ ...query, ...(redirectUri && { redirect_uri: redirectUri }) }).toString();
    return search ? `${path}?${search}` : path;
  };
  return {
    words,
    language,
    viewer: authentication.viewer,
    asked,
    redirectUri,
    async run(document, variables) {
      const scope = scopeOf(request, response, authentication.viewer);
      const result = await edge.execute(operation(document, variables), scope);
      for (const cookie of scope.reply.cookies) response.header('set-cookie', setCookieHeader(cookie));
      return dataOf(result) as never;
    },
    explain: (error) => explain(words, error, request.id),
    show(view, data, refused) {
      if (refused?.retryAfter) response.header('retry-after', refused.retryAfter);
      const frame = { words, lang: tagOf[language], languages: languageLinks(request, redirectUri), refused };
      return page(
        `login/${view}`,
        { ...data, ...frame },
        { status: refused?.status ?? 200, formAction: edge.config.allowedOrigins.join(' '), script: "'self'" },
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

/** The same page in the other languages; where a form was answered, its page anew. */
function languageLinks({ url }: FastifyRequest, redirectUri: string | undefined) {
  const here = new URL(url, 'http://foyer');
  if (redirectUri) here.searchParams.set('redirect_uri', redirectUri);
  return languages.map((language) => {
    here.searchParams.set('lang', language);
    return { name: nameOf[language], tag: tagOf[language], href: `${here.pathname}${here.search}` };
  });
}

const languageCookie = (language: Language, { production }: Edge['config']) =>
  setCookieHeader({
    name: COOKIE,
    value: language,
    path: '/',
    maxAgeSeconds: YEAR_SECONDS,
    httpOnly: true,
    secure: production,
    sameSite: 'Lax',
  });
