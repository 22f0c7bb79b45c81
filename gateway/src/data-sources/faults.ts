import { BrokenCircuitError } from 'cockatiel';
import { CloseCode } from 'graphql-ws';
import { errors } from 'undici';
import type { CloseEvent, ErrorEvent } from 'ws';

/** No answer within the time limit. */
export class TooSlow extends Error {
  override readonly name = 'TooSlow';
}

/** The response is not GraphQL: the subgraph is broken, or a proxy reports that it is unavailable. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/** The subgraph rejects this particular request: that says nothing about its health, and a retry would fail, too. */
export class NotTaken extends Error {
  override readonly name = 'NotTaken';
  readonly status: number;
  constructor(status: number) {
    super(`status ${status}`);
    this.status = status;
  }
}

/**
 * The error for a response that is not GraphQL, by its status. Only 408 and 502 upwards mean that the subgraph serves
 * nobody: 500 and 501 may concern one request, and 429 one client, by its forwarded credential.
 */
export const notGraphQL = (status: number): NoAnswer | NotTaken =>
  status === 408 || status >= 502 ? new NoAnswer(`status ${status}`) : new NotTaken(status);

/** The close codes by which a server goes or fails; others concern one subscription, such as its credential. */
const OF_SERVER = new Set<number>([
  1000,
  1001,
  1005,
  1006,
  1011,
  1012,
  1013,
  1014,
  1015,
  CloseCode.ConnectionAcknowledgementTimeout,
]);

/** The error behind an event of a WebSocket that ends a stream, of graphql-ws or ws. */
export function faultOfStream(broken: unknown): unknown {
  const { message = '', error, code } = Object(broken) as Partial<ErrorEvent & CloseEvent>;
  const [, status] = /^Unexpected server response: (\d+)$/.exec(message) ?? [];
  if (status !== undefined) return notGraphQL(Number(status));
  if (message === 'Opening handshake has timed out') return new NoAnswer(message);
  if (code === undefined) return error ?? broken;
  return OF_SERVER.has(code) ? new NoAnswer(`close code ${code}`) : new NotTaken(code);
}

/** undici's codes for a failed connection, or bytes that are not HTTP. */
const ofUndici = [
  errors.SocketError,
  errors.ConnectTimeoutError,
  errors.HeadersTimeoutError,
  errors.BodyTimeoutError,
  errors.HTTPParserError,
];

/** The system's codes for a connection that could not be opened. */
const unopened = new Set([
  'EADDRNOTAVAIL',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOTFOUND',
]);

/** The system's codes for a failed connection. */
const ofTheSystem = new Set([...unopened, 'ECONNABORTED', 'ECONNRESET', 'EPIPE', 'EPROTO', 'ETIMEDOUT']);

/** Codes of invalid certificates. */
const OF_TLS = /^(?:ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|(?:DEPTH_ZERO_)?SELF_SIGNED_CERT)/;

/**
 * Whether the subgraph itself failed, so that other requests would fail alike: it can't be reached, is too slow, or
 * responds with something other than GraphQL. A failure that a client caused, by its request or by leaving, is not.
 */
export function isFaultOfSubgraph(error: unknown): boolean {
  if (error instanceof TooSlow || error instanceof NoAnswer) return true;
  if (ofUndici.some((type) => error instanceof type)) return true;
  const { code } = Object(error) as NodeJS.ErrnoException;
  return typeof code === 'string' && (ofTheSystem.has(code) || OF_TLS.test(code));
}

/**
 * Whether the subgraph certainly did nothing: there was no connection, or the request was refused as such. After any other
 * error it may have carried the request out.
 */
export function didNothing(error: unknown): boolean {
  if (error instanceof NotTaken) return error.status < 500;
  if (error instanceof BrokenCircuitError || error instanceof errors.ConnectTimeoutError) return true;
  const { code } = Object(error) as NodeJS.ErrnoException;
  return typeof code === 'string' && (unopened.has(code) || OF_TLS.test(code));
}

/** Whether the subgraph responded at all. */
export const hasAnswered = (error: unknown): boolean =>
  error instanceof NotTaken || error instanceof errors.ResponseExceededMaxSizeError;

/** Whether the client has gone. */
export const hasLeft = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';
