import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import {
  authenticateByEither,
  authenticateIfAny,
  type Authenticate,
  type Authentication,
} from '@foyer/shared/auth/authentication';
import { isCrossSite } from '@foyer/shared/http/cross-site';
import { badInput } from '@foyer/shared/errors';
import '@foyer/shared/input-words';
import { errorReply, setCookieHeader, understood, whileConnected, type ErrorBody } from '@foyer/shared/http/error-body';
import { deviceOf, userAgentOf, type RequestScope } from '@foyer/shared/http/request';
import { besideOpening, throughOpening } from '@foyer/shared/auth/opening';
import { unauthenticated, type Opening, type Viewer } from '@foyer/shared/auth/viewer';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { GraphQLError, type DocumentNode, type ExecutionResult } from 'graphql';
import type { z } from 'zod';

import { withoutBlanks } from './blank-fields.ts';
import type { Config } from './config.ts';
import { withNumbers } from './numbers-as-text.ts';
import { withSentNames } from './sent-names.ts';
import { inParts } from './whole-lists.ts';

/** What a row needs of the house: a way to run a GraphQL document, and a way to tell who asks. */
export interface Edge {
  execute(
    operation: { document: DocumentNode; variables?: Record<string, unknown> },
    scope: RequestScope,
  ): Promise<ExecutionResult>;
  authenticate: Authenticate;
  /** Counts a request of anybody but a service. @throws {Refusal} `TOO_MANY_REQUESTS` */
  countRequest(who: Pick<RequestScope, 'viewer' | 'client'>): Promise<void>;
  config: Config;
}

/**
 * What a route makes of a token that comes along (docs/decisions/0054):
 * - `needed`: nobody is answered without one;
 * - `needed when strict`: the documents ask for none, `REST_AUTH=strict` does; a valid one may show more;
 * - `optional`: a valid one may show more, in both modes;
 * - `ignored`: what comes in the body proves who asks; a token beside it may be old, and says nothing.
 *
 * A bearer that can't be used leaves the word to the cookie; where no token is needed, it counts as none.
 */
export type TokenUse = 'needed' | 'needed when strict' | 'optional' | 'ignored';

/** @throws {Refusal} for whom the route is not */
export type Admit = (request: FastifyRequest, config: Config) => Viewer;

interface Row<Data, Variables, Input> {
  document: TypedDocumentNode<Data, Variables>;
  /** Reads `{ params, query, body, headers }`. */
  input: z.ZodType<Input>;
  variables(input: Input): Variables;
  /** The body of the answer, or an answer of another kind (`page`, `redirect`). */
  reply(data: Data, input: Input, config: Config): unknown;
  status?: number;
  /** Where a list goes on of which this is a part: the path and query of the next one, for the header `Link`. */
  next?(data: Data, input: NoInfer<Input>): string | undefined;
  /** How many rows are read for who asks for all of a list; default ten thousand. More are refused. */
  atMost?: number;
  /** Default `needed`; `needed when strict` of an open one. */
  token?: TokenUse;
  /** Whether a bearer that can't be used is refused all the same, where who asks decides what a repeat is of. */
  asksForBearer?(input: NoInfer<Input>): boolean;
  /** Documented without authentication: what the route needs, as the headers or the query claim it. */
  open?(input: NoInfer<Input>): Opening;
  /** Not an open route: what everybody may do here besides when `REST_AUTH=documented`, whoever they stay. */
  documented?: Opening;
  /** What comes proves itself, and must never be lost: it is not counted. */
  uncounted?: true;
  /** Who asks by something else than a token; refuses the others before their body is read. */
  admit?: Admit;
  /** What a refusal tells besides its code, as the documents spell it, such as numbers where GraphQL has ids. */
  refusal?(facts: Record<string, unknown>): Record<string, unknown>;
  /** Superseded: the path that answers instead, given the organization that the route or else the token names. */
  successor?(input: NoInfer<Input>, organizationId: string | undefined): string;
  /** Documented as posted by a browser's form: takes that, and nothing else. No other route takes forms. */
  form?: true;
  /**
   * Documented to answer alike whatever is sent: what can't be read and what is asked too often does nothing, and gets the
   * answer of what is done. Who may ask is refused as everywhere, and so is what can't be done now.
   */
  answersAlike?: true;
  /** A route that people are led to: a refusal is a page. */
  refusalPage?(refused: ErrorBody, status: number): OtherAnswer;
}

/** What a row says of itself, for the document of all routes (openapi/). */
export type DocumentedRow = Pick<
  Row<object, object, unknown>,
  'document' | 'input' | 'reply' | 'status' | 'admit' | 'successor' | 'form' | 'refusalPage' | 'answersAlike'
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
  /** Undefined where the route exists in name only. */
  row?: DocumentedRow;
  mount(app: FastifyInstance, edge: Edge): void;
}

/** One REST route = one GraphQL operation. There is no other kind of route. */
export function route<Data, Variables, Input>(
  method: HTTPMethods,
  url: string,
  row: Row<Data, Variables, Input>,
): Route {
  const token = row.token ?? (row.open ? 'needed when strict' : 'needed');
  /** Tells who asks; where any site's page may send something, nobody does. */
  async function whoAsks(request: FastifyRequest, { authenticate, config }: Edge): Promise<Authentication> {
    if (row.admit) return { viewer: row.admit(request, config), by: 'nothing' };
    if (token === 'ignored' || isCrossSite(String(method), url)) return { viewer: null, by: 'nothing' };
    if (!needsToken(token, config)) return authenticateIfAny(authenticate, request.headers);
    const authentication = await authenticateByEither(authenticate, request.headers);
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
        ...(row.form && { config: { takes: 'form' } }),
        ...(row.refusalPage && refusalAsPage(row.refusalPage)),
        ...(row.answersAlike && refusalAsAnswer({ success: true }, row.status ?? 200)),
        onRequest: async (request) => void row.admit?.(request, edge.config),
        async handler(request, response) {
          const authentication = await whoAsks(request, edge);
          if (!row.uncounted) await countRequest(edge, request, authentication);
          const input = readInput(row.input, String(method), request);
          const isUnused = authentication.by !== 'bearer' && Boolean(request.headers.authorization?.trim());
          if (isUnused && row.asksForBearer?.(input)) throw unauthenticated();
          if (row.successor) response.headers(superseded(row.successor(input, organizationOf(authentication))));
          const viewer =
            edge.config.restAuth === 'documented' ? opened(row, input, authentication) : authentication.viewer;
          const scope = scopeOf(request, response, viewer);
          const run = async (variables: Record<string, unknown>) => {
            const result = await edge.execute({ document: row.document, variables }, scope);
            // Also with a refusal: a logout clears both cookies and may still say 401.
            for (const cookie of scope.reply.cookies.splice(0)) response.header('set-cookie', setCookieHeader(cookie));
            return dataOf(withSentNames(row.input, result), row.refusal);
          };
          const data = (await inParts(row.variables(input) as Record<string, unknown>, run, row.atMost)) as Data;
          const next = row.next?.(data, input);
          if (next) response.header('link', `<${next}>; rel="next"`);
          return answer(response, row.reply(data, input, edge.config), row.status ?? 200);
        },
      }),
  };
}

/** Whether nobody is answered without a token. */
const needsToken = (token: TokenUse, { restAuth }: Pick<Config, 'restAuth'>) =>
  token === 'needed' || (token === 'needed when strict' && restAuth === 'strict');

/** A service asks for many people, and is counted by what it asks for alone. */
export async function countRequest(edge: Edge, request: FastifyRequest, { viewer }: Authentication): Promise<void> {
  if (viewer?.kind !== 'service') await edge.countRequest({ viewer, client: clientOf(request) });
}

const clientOf = (request: FastifyRequest): RequestScope['client'] => ({
  address: request.ip,
  userAgent: userAgentOf(request.headers),
  device: deviceOf(request.headers),
  platform: request.headers['service-platform'] === 'mobile' ? 'mobile' : 'web',
});

/** Since when the shapes of before are superseded (RFC 9745: seconds since 1970): as long as Foyer exists. */
const SUPERSEDED_SINCE = Date.UTC(2026, 10, 21) / 1_000;

const superseded = (path: string) => ({
  deprecation: `@${SUPERSEDED_SINCE}`,
  link: `<${path}>; rel="successor-version"`,
});

const organizationOf = ({ viewer }: Authentication) => (viewer?.kind === 'staff' ? viewer.organizationId : undefined);

const refusalAsPage = (render: (refused: ErrorBody, status: number) => OtherAnswer) => ({
  errorHandler(error: Error, request: FastifyRequest, response: FastifyReply) {
    const { status, body } = errorReply(error, request.id);
    if (status >= 500) throw error; // the server's own handler logs and masks it
    return render(body, status).send(response);
  },
});

/** A body that can't be read, and one too many. A form stays refused, for who may have sent it. */
const ofSender = new Set([400, 413, 429]);

const refusalAsAnswer = (body: object, status: number) => ({
  errorHandler(error: FastifyError | Error, request: FastifyRequest, response: FastifyReply) {
    if (!ofSender.has(errorReply(understood(error), request.id).status)) throw error;
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
  const parsed = schema.safeParse(withNumbers(schema, filled));
  if (parsed.success) return parsed.data;
  throw badInput(parsed.error.issues.map(({ path, message }) => ({ path: path.slice(1).join('.'), message })));
}

/** Who asks, with what the route gives to everybody when `REST_AUTH=documented`. */
function opened<Input>(
  { open, documented }: Pick<Row<unknown, unknown, Input>, 'open' | 'documented'>,
  input: NoInfer<Input>,
  { viewer }: Authentication,
): Viewer | null {
  if (open) return throughOpening(viewer, open(input));
  return documented ? besideOpening(viewer, documented) : viewer;
}

/** What an operation of this request carries along; it ends when the client goes. */
export function scopeOf(request: FastifyRequest, response: FastifyReply, viewer: Viewer | null): RequestScope {
  return {
    requestId: request.id,
    viewer,
    client: clientOf(request),
    signal: whileConnected(response.raw),
    reply: { cookies: [] },
  };
}

export const operation = <Data, Variables>(document: TypedDocumentNode<Data, Variables>, variables: Variables) => ({
  document,
  variables: variables as Record<string, unknown>,
});

/**
 * @param respell what the refusal tells besides its code, in words of the route
 * @throws the first error of the answer
 */
export function dataOf({ data, errors }: ExecutionResult, respell?: Row<object, object, unknown>['refusal']): object {
  const [error] = errors ?? [];
  if (error && !respell) throw error;
  if (error) throw new GraphQLError(error.message, { originalError: error, extensions: respell?.(error.extensions) });
  if (!data) throw new Error('an operation was answered with neither data nor errors');
  return data;
}

/** An answer that is not JSON. */
export class OtherAnswer {
  readonly send: (response: FastifyReply) => FastifyReply;
  readonly contentType: string | undefined;
  readonly status: number | undefined;
  constructor(
    send: (response: FastifyReply) => FastifyReply,
    { contentType, status }: { contentType?: string; status?: number } = {},
  ) {
    this.send = send;
    this.contentType = contentType;
    this.status = status;
  }
}

/** A file, alone. */
export const attachment = (file: { filename: string; contentType: string; base64: string }) =>
  new OtherAnswer(
    (response) =>
      response
        .header('content-disposition', `attachment; filename="${file.filename}"`)
        .type(file.contentType)
        .send(Buffer.from(file.base64, 'base64')),
    { contentType: file.contentType },
  );

export const redirect = (location: string) =>
  new OtherAnswer((response) => response.redirect(location, 302), { status: 302 });

const answer = (response: FastifyReply, body: unknown, status: number) =>
  body instanceof OtherAnswer ? body.send(response) : response.code(status).send(body);
