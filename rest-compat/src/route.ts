import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { authenticateRequest, type Authenticate, type Authentication } from '@foyer/shared/auth/authentication';
import { isCrossSite } from '@foyer/shared/http/browsers/cross-site';
import { badInput } from '@foyer/shared/errors';
import '@foyer/shared/input-words';
import { errorReply, setCookieHeader, understood, type ErrorBody } from '@foyer/shared/http/error-body';
import { browserLanguage, type Language } from '@foyer/shared/http/language';
import type { RequestScope } from '@foyer/shared/http/request';
import { requestScope } from '@foyer/shared/http/request-scope';
import { besideOpening, throughOpening } from '@foyer/shared/auth/opening';
import { unauthenticated, type Opening, type Viewer } from '@foyer/shared/auth/viewer';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import type { DocumentNode, ExecutionResult } from 'graphql';
import type { z } from 'zod';

import { withoutBlanks } from './blank-fields.ts';
import type { Config } from './config.ts';
import { dataOf } from './data-of.ts';
import { withNumbers } from './numbers-as-text.ts';
import { withSentNames } from './sent-names.ts';
import { inParts } from './whole-lists.ts';

/** What a route needs from the gateway and identity: to run a GraphQL operation, and to authenticate a request. */
export interface Edge {
  execute(
    operation: { document: DocumentNode; variables?: Record<string, unknown> },
    scope: RequestScope,
  ): Promise<ExecutionResult>;
  authenticate: Authenticate;
  /** Counts a request of anybody but a service. @throws {Refusal} `TOO_MANY_REQUESTS` */
  countRequest(caller: Pick<RequestScope, 'viewer' | 'client'>): Promise<void>;
  config: Config;
}

/**
 * How a route uses the token of a request (docs/decisions/0054):
 * - `needed`: requests without a token are refused;
 * - `needed when strict`: the documents need none, `REST_AUTH=strict` does; a valid one may show more;
 * - `optional`: a valid one may show more, in both modes;
 * - `ignored`: the body authenticates the request; a token beside it may be old.
 *
 * If the bearer token is invalid, the cookie counts; where no token is needed, an invalid one counts as none.
 */
export type TokenUse = 'needed' | 'needed when strict' | 'optional' | 'ignored';

/** Authenticates a request without a token. @throws {Refusal} when the caller may not use the route */
export type Admit = (request: FastifyRequest, config: Config) => Viewer;

interface Row<Data, Variables, Input, Answer extends z.ZodType> {
  document: TypedDocumentNode<Data, Variables>;
  /** Reads `{ params, query, body, headers }`. */
  input: z.ZodType<Input>;
  variables(input: Input): Variables;
  /**
   * The JSON body of the answer; absent if the route has none. It types `reply` and feeds the OpenAPI document. No reply
   * is parsed with it: a unit test does that with samples (docs/decisions/0062).
   */
  answer?: Answer;
  /** What the route may answer instead of JSON: a page or a file of this type, or a redirect. */
  otherAnswer?: 'text/html' | 'application/pdf' | 'redirect';
  /** Returns the body of the answer, or the other answer (`page`, `attachment`, `redirect`). */
  reply(data: Data, input: Input, config: Config): z.input<Answer> | OtherAnswer;
  status?: number;
  /** Returns the path and query of the next part of a list, for the header `Link`. */
  next?(data: Data, input: NoInfer<Input>): string | undefined;
  /** Fields, as paths, that the answer may lack when they fail: what the operation changed is done all the same. */
  mayLack?: readonly string[];
  /** The most rows of an unpaginated list; default ten thousand. Longer lists are refused. */
  atMost?: number;
  /** Default: `needed`; for an open route `needed when strict`. */
  token?: TokenUse;
  /** Whether an invalid bearer token is refused: where the viewer decides which request this one repeats. */
  asksForBearer?(input: NoInfer<Input>): boolean;
  /** For routes documented without authentication: the permissions that they need, in the claimed tenant. */
  open?(input: NoInfer<Input>): Opening;
  /** For other routes: permissions that every viewer has in addition when `REST_AUTH=documented`. */
  documented?: Opening;
  /** Not rate-limited: the request authenticates itself, and must never be lost. */
  uncounted?: true;
  /** Authenticates by something else than a token, before the body is read. */
  admit?: Admit;
  /** Maps the facts of a refusal to the documents' spelling, such as numbers instead of ids. */
  refusal?(facts: Record<string, unknown>): Record<string, unknown>;
  /** For superseded routes: the path of the successor, in the organization that the route or else the token names. */
  successor?(input: NoInfer<Input>, organizationId: string | undefined): string | undefined;
  /** Takes the post of an HTML form, and nothing else. No other route takes forms. */
  form?: true;
  /**
   * Documented to give the same answer to every request: invalid and rate-limited requests do nothing and get it too.
   * Other refusals stay as they are.
   */
  answersAlike?: true;
  /** For routes that browsers navigate to: renders a refusal as a page. */
  refusalPage?(refused: ErrorBody, status: number): OtherAnswer;
  /** The page for browsers, in their language if that is known, instead of an error of the server. Others get the error. */
  troublePage?(language: Language | undefined, status: number): OtherAnswer;
}

/** What is read of a route to describe it (openapi/), and to test its `reply`. */
export type DocumentedRow = Pick<
  Row<object, object, unknown, z.ZodType>,
  | 'document'
  | 'input'
  | 'answer'
  | 'otherAnswer'
  | 'reply'
  | 'status'
  | 'admit'
  | 'successor'
  | 'asksForBearer'
  | 'form'
  | 'refusalPage'
  | 'answersAlike'
>;

/** A row of the table of REST routes. */
export interface Route {
  method: HTTPMethods;
  url: string;
  token: TokenUse;
  /** Gives clients without a token permissions of staff when `REST_AUTH=documented`. */
  open: boolean;
  /** Takes the form of a page, and nothing else. */
  form: boolean;
  /** Undefined for a stub. */
  row?: DocumentedRow;
  mount(app: FastifyInstance, edge: Edge): void;
}

/** One REST route = one GraphQL operation. There is no other kind of route. */
export function route<Data, Variables, Input, Answer extends z.ZodType = z.ZodNever>(
  method: HTTPMethods,
  url: string,
  row: Row<Data, Variables, Input, Answer>,
): Route {
  const token = row.token ?? (row.open ? 'needed when strict' : 'needed');
  /** Authenticates a request. Routes that pages of any site may post to ignore cookies and tokens. */
  async function authenticationOf(request: FastifyRequest, { authenticate, config }: Edge): Promise<Authentication> {
    if (row.admit) return { viewer: row.admit(request, config), by: 'nothing' };
    if (token === 'ignored' || isCrossSite(String(method), url)) return { viewer: null, by: 'nothing' };
    if (!needsToken(token, config)) return authenticateRequest(authenticate, request.headers, 'optional');
    const authentication = await authenticateRequest(authenticate, request.headers, 'required');
    if (token === 'needed when strict' && !authentication.viewer) throw unauthenticated();
    return authentication;
  }
  return {
    method,
    url,
    token,
    open: row.open !== undefined,
    form: row.form === true,
    row: row as unknown as DocumentedRow,
    mount: (app, edge) =>
      app.route({
        method,
        url,
        config: { ...(row.form && { takes: 'form' }), ...(row.troublePage && troublePageOf(row.troublePage)) },
        ...(row.refusalPage && refusalAsPage(row.refusalPage)),
        ...(row.answersAlike && refusalAsAnswer({ success: true }, row.status ?? 200)),
        ...(row.admit && { onRequest: async (request: FastifyRequest) => void row.admit?.(request, edge.config) }),
        async handler(request, response) {
          const authentication = await authenticationOf(request, edge);
          const scope = requestScope(request, response, authentication.viewer);
          if (!row.uncounted) await countRequest(edge, scope);
          const input = readInput(row.input, String(method), request);
          const isUnused = authentication.by !== 'bearer' && Boolean(request.headers.authorization?.trim());
          if (isUnused && row.asksForBearer?.(input)) throw unauthenticated();
          if (row.successor) response.headers(superseded(row.successor(input, organizationOf(authentication))));
          if (edge.config.restAuth === 'documented') scope.viewer = opened(row, input, authentication);
          const run = async (variables: Record<string, unknown>) => {
            const result = await edge.execute({ document: row.document, variables }, scope);
            // Cookies are set on a refusal too: a logout clears both cookies and may still answer 401.
            for (const cookie of scope.reply.cookies.splice(0)) response.header('set-cookie', setCookieHeader(cookie));
            return dataOf(withSentNames(row.input, result), row);
          };
          const data = (await inParts(row.variables(input) as Record<string, unknown>, run, row.atMost)) as Data;
          const next = row.next?.(data, input);
          if (next) response.header('link', `<${next}>; rel="next"`);
          return answer(response, row.reply(data, input, edge.config), row.status ?? 200);
        },
      }),
  };
}

/** Returns whether requests without a token are refused. */
const needsToken = (token: TokenUse, { restAuth }: Pick<Config, 'restAuth'>) =>
  token === 'needed' || (token === 'needed when strict' && restAuth === 'strict');

/** Counts a request against its rate limit. Services are exempt: they act for many users. */
export async function countRequest(edge: Edge, scope: RequestScope): Promise<void> {
  if (scope.viewer?.kind !== 'service') await edge.countRequest(scope);
}

/** The date of the `Deprecation` header (RFC 9745) of superseded routes. */
const SUPERSEDED_SINCE = Date.UTC(2026, 10, 21) / 1_000;

const superseded = (path: string | undefined) => ({
  deprecation: `@${SUPERSEDED_SINCE}`,
  ...(path && { link: `<${path}>; rel="successor-version"` }),
});

const organizationOf = ({ viewer }: Authentication) => (viewer?.kind === 'staff' ? viewer.organizationId : undefined);

const refusalAsPage = (render: (refused: ErrorBody, status: number) => OtherAnswer) => ({
  errorHandler(error: Error, request: FastifyRequest, response: FastifyReply) {
    const { status, body, retryAfter } = errorReply(error, request.id);
    if (status >= 500) throw error; // the server's error handler logs and masks it
    if (retryAfter) response.header('retry-after', retryAfter);
    return render(body, status).send(response);
  },
});

const troublePageOf = (render: (language: Language | undefined, status: number) => OtherAnswer) => ({
  troublePage: ({ headers }: FastifyRequest, response: FastifyReply, status: number) =>
    render(browserLanguage(headers), status).send(response),
});

/** Bad requests, bodies that are too large, and rate limits. A form of another site stays refused. */
const answeredAlike = new Set([400, 413, 429]);

const refusalAsAnswer = (body: object, status: number) => ({
  errorHandler(error: FastifyError | Error, request: FastifyRequest, response: FastifyReply) {
    if (!answeredAlike.has(errorReply(understood(error), request.id).status)) throw error;
    return response.code(status).send(body);
  },
});

const updates = new Set(['PUT', 'PATCH']);

type Sent = Record<'params' | 'query' | 'body' | 'headers', unknown>;

/** @throws {Refusal} `VALIDATION_FAILED` */
export function readInput<Input>(
  schema: z.ZodType<Input>,
  method: string,
  { params, query, body, headers }: Sent,
): Input {
  const sent = { params, query, body: body ?? {}, headers };
  const filled = withoutBlanks(schema, sent, updates.has(method) ? 'update' : 'new');
  const parsed = schema.safeParse(withNumbers(schema, filled), { reportInput: true });
  if (parsed.success) return parsed.data;
  throw badInput(
    parsed.error.issues.map((issue) => ({ path: issue.path.slice(1).join('.'), message: wordsOf(issue) })),
  );
}

/** A required field that is absent or null is called missing, also where its schema has a message of its own. */
const wordsOf = ({ input, message }: z.core.$ZodIssue) =>
  input === undefined || input === null ? 'is missing' : message;

/** Returns the viewer with the permissions that the route grants when `REST_AUTH=documented`. */
function opened<Input>(
  { open, documented }: Pick<Row<unknown, unknown, Input, z.ZodType>, 'open' | 'documented'>,
  input: NoInfer<Input>,
  { viewer }: Authentication,
): Viewer | null {
  if (open) return throughOpening(viewer, open(input));
  return documented ? besideOpening(viewer, documented) : viewer;
}

export const operation = <Data, Variables>(document: TypedDocumentNode<Data, Variables>, variables: Variables) => ({
  document,
  variables: variables as Record<string, unknown>,
});

/** An answer other than JSON: a page, a file, a redirect. */
export class OtherAnswer {
  readonly send: (response: FastifyReply) => FastifyReply;
  constructor(send: (response: FastifyReply) => FastifyReply) {
    this.send = send;
  }
}

/** An answer that is a file. */
export const attachment = (file: { filename: string; contentType: string; base64: string }) =>
  new OtherAnswer((response) =>
    response
      .header('content-disposition', `attachment; filename="${file.filename}"`)
      .type(file.contentType)
      .send(Buffer.from(file.base64, 'base64')),
  );

export const redirect = (location: string) => new OtherAnswer((response) => response.redirect(location, 302));

const answer = (response: FastifyReply, body: unknown, status: number) =>
  body instanceof OtherAnswer ? body.send(response) : response.code(status).send(body);
