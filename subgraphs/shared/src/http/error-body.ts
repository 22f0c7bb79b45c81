import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { GraphQLError } from 'graphql';

import { databaseBusy } from '../database-errors.ts';
import { httpStatusOf, Refusal, type ErrorCode } from '../errors.ts';
import type { Log } from '../telemetry/log.ts';
import type { SetCookie } from './request.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** For routes that people's browsers navigate to: the page that they get instead of the error of a server. */
    troublePage?: (request: FastifyRequest, response: FastifyReply, status: number) => FastifyReply;
  }
}

/** The error body of every REST route (docs/errors.md); the facts of a refusal are added to these. */
export interface ErrorBody {
  success: false;
  code: string;
  message: string;
  requestId: string;
  [fact: string]: unknown;
}

/** The status and body of the answer to an error; an error that is not a refusal is masked. */
export function errorReply(
  error: unknown,
  requestId: string,
): { status: number; body: ErrorBody; retryAfter?: number } {
  const refusal = refusalIn(error);
  if (!refusal) {
    const message = 'Something went wrong on our side.';
    return { status: 500, body: { success: false, code: 'INTERNAL_SERVER_ERROR', message, requestId } };
  }
  const { code, reason, retryAfter, ...facts } = refusal.extensions;
  return {
    status: httpStatusOf[code as ErrorCode],
    body: { ...facts, success: false, code: String(reason), message: refusal.message, requestId },
    ...(typeof retryAfter === 'number' && { retryAfter }),
  };
}

/** A refusal, thrown here or carried by a GraphQL answer. */
function refusalIn(error: unknown): GraphQLError | undefined {
  if (!(error instanceof GraphQLError)) return databaseBusy(error);
  if (
    error instanceof Refusal ||
    (error.extensions['reason'] && Object.hasOwn(httpStatusOf, String(error.extensions['code'])))
  )
    return error;
  return undefined;
}

/** The refusals for Fastify's own errors. */
const ofFastify: Record<number, [ErrorCode, string, string]> = {
  400: ['BAD_USER_INPUT', 'BAD_REQUEST', 'The request can not be understood.'],
  413: ['PAYLOAD_TOO_LARGE', 'PAYLOAD_TOO_LARGE', 'The body is too large.'],
  414: ['NOT_FOUND', 'ROUTE_NOT_FOUND', 'There is no such route.'], // no path of ours is that long
  415: ['UNSUPPORTED_MEDIA_TYPE', 'UNSUPPORTED_MEDIA_TYPE', 'This route does not take that content type.'],
};

const unreadableAddress = () =>
  new Refusal('BAD_USER_INPUT', 'BAD_REQUEST', 'The path can not be read: what is escaped with % must be UTF-8.');

/** The refusal that stands for an error of Fastify's own, such as a body that is not JSON; any other error as it is. */
export const understood = (error: FastifyError | GraphQLError | Error) => {
  if ('code' in error && error.code === 'FST_ERR_BAD_URL') return unreadableAddress();
  const known = 'statusCode' in error && ofFastify[error.statusCode ?? 0];
  return known ? new Refusal(...known) : error;
};

/** The server option `frameworkErrors`: for a path that can't be decoded, which reaches no route and no error handler. */
export function answerFrameworkError(error: FastifyError, request: FastifyRequest, response: FastifyReply): void {
  const { status, body } = errorReply(understood(error), request.id);
  void response.code(status).header('x-request-id', request.id).send(body);
}

/** The refusals for errors of Node's parser, by their code. */
const ofParser: Record<string, [number, string, string]> = {
  HPE_HEADER_OVERFLOW: [431, 'HEADERS_TOO_LARGE', 'The headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'REQUEST_TIMEOUT', 'The request came too slowly.'],
};

/** Finds the `Origin` in the received bytes, as far as Node's parser has read them. */
const originIn = ({ rawPacket }: NodeJS.ErrnoException & { rawPacket?: Buffer }) =>
  /\r\norigin:[ \t]*(\S+)[ \t]*\r\n/i.exec(rawPacket?.toString('latin1') ?? '')?.[1];

/**
 * The server option `clientErrorHandler`: answers bytes that are not a request with the documented error body.
 *
 * @param headersFor the further headers of the answer to a page of this origin
 */
export function answerClientError(
  error: NodeJS.ErrnoException,
  socket: Socket,
  headersFor: (origin: string | undefined) => Record<string, string> = () => ({}),
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const [status, code, message] = ofParser[error.code ?? ''] ?? [400, 'BAD_REQUEST', 'This is not an HTTP request.'];
  const body = JSON.stringify({ success: false, code, message, requestId: crypto.randomUUID() } satisfies ErrorBody);
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      ...Object.entries(headersFor(originIn(error))).map(([name, value]) => `${name}: ${value}`),
      '',
      body,
    ].join('\r\n'),
  );
}

/** A page for people at an address without a page. */
type LostPage = (request: FastifyRequest, response: FastifyReply) => FastifyReply;

/**
 * Gives every error of this server the documented shape, and logs those that are bugs.
 *
 * @param lostPage what a browser gets instead, where there is no page
 */
export function answerErrors(app: FastifyInstance, log: Log, lostPage?: LostPage): void {
  app.setErrorHandler((error: FastifyError | GraphQLError, request, response) => {
    const { status, body, retryAfter } = errorReply(understood(error), request.id);
    if (status >= 500) tell(log, error, { requestId: request.id, code: body.code });
    if (retryAfter) response.header('retry-after', retryAfter);
    const { troublePage } = request.routeOptions.config;
    if (troublePage && status >= 500 && isBrowser(request)) return troublePage(request, response, status);
    return response.code(status).send(body);
  });
  app.setNotFoundHandler((request, response) => {
    response.code(404);
    if (lostPage && request.method === 'GET' && wantsPage(request)) return lostPage(request, response);
    return response.send({
      success: false,
      code: 'ROUTE_NOT_FOUND',
      message: 'There is no such route.',
      requestId: request.id,
    } satisfies ErrorBody);
  });
}

/** Whether the client takes pages. */
const wantsPage = ({ headers }: FastifyRequest) => headers.accept?.includes('text/html') ?? false;

/** Whether it is a browser: some HTTP clients of services name HTML by default, but no language. */
export const isBrowser = (request: FastifyRequest): boolean =>
  wantsPage(request) &&
  (request.headers['accept-language'] !== undefined || request.headers['sec-fetch-mode'] === 'navigate');

/** Logs an error; a refusal without its stack, because its cause is an external service and not a bug. */
function tell(log: Log, error: FastifyError | GraphQLError, about: { requestId: string; code: string }): void {
  if (!refusalIn(error)) return log.error({ err: error, ...about }, 'request failed');
  const { cause } = error;
  log.warn({ ...about, reason: cause instanceof Error ? cause.message : error.message }, 'request refused');
}

/** Aborts when the client has gone before its answer was complete. */
export function whileConnected(response: ServerResponse): AbortSignal {
  const leaving = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) leaving.abort();
  });
  return leaving.signal;
}

/** The value of a Set-Cookie header (RFC 6265 section 4.1). */
export function setCookieHeader({
  name,
  value,
  path,
  domain,
  maxAgeSeconds,
  httpOnly,
  secure,
  sameSite,
}: SetCookie): string {
  return [
    `${name}=${value}`,
    `Max-Age=${maxAgeSeconds}`,
    ...(domain ? [`Domain=${domain}`] : []),
    `Path=${path}`,
    ...(httpOnly ? ['HttpOnly'] : []),
    ...(secure ? ['Secure'] : []),
    `SameSite=${sameSite}`,
  ].join('; ');
}
