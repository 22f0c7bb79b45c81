import { errors } from 'undici';

/** No answer within the time limit. */
export class TooSlow extends Error {
  override readonly name = 'TooSlow';
}

/** What came is no GraphQL answer: something in between says that the subgraph is not there, or it is broken. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/** This very request is not taken: that says nothing about the subgraph, and the next try would end alike. */
export class NotTaken extends Error {
  override readonly name = 'NotTaken';
}

/**
 * An answer that is not GraphQL, by its status: only from 502 on, and with 408, it says that nobody can be served. 500 and
 * 501 do not, as what one request runs into, the next may not; nor does 429: who asks too often may be one client, by
 * the credential that was passed on.
 */
export const notGraphQL = (status: number): NoAnswer | NotTaken =>
  status === 408 || status >= 502 ? new NoAnswer(`status ${status}`) : new NotTaken(`status ${status}`);

/** How undici names what went wrong with a connection, or with bytes that are no HTTP. */
const ofUndici = [
  errors.SocketError,
  errors.ConnectTimeoutError,
  errors.HeadersTimeoutError,
  errors.BodyTimeoutError,
  errors.HTTPParserError,
];

/** How the system names it. */
const ofTheSystem = new Set([
  'EADDRNOTAVAIL',
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'EPROTO',
  'ETIMEDOUT',
]);

/** Certificates that do not hold. */
const OF_TLS = /^(?:ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|(?:DEPTH_ZERO_)?SELF_SIGNED_CERT)/;

/**
 * Whether it is the subgraph that failed, and others who ask it would fare alike: it can't be reached, is too slow, or
 * answers what is no GraphQL. Everything else is not: above all what a client has caused by what it sent, or by leaving.
 */
export function isFaultOfSubgraph(error: unknown): boolean {
  if (error instanceof TooSlow || error instanceof NoAnswer) return true;
  if (ofUndici.some((type) => error instanceof type)) return true;
  const { code } = Object(error) as NodeJS.ErrnoException;
  return typeof code === 'string' && (ofTheSystem.has(code) || OF_TLS.test(code));
}

/** Whether it has answered, though not what was wanted: it is there. */
export const hasAnswered = (error: unknown): boolean =>
  error instanceof NotTaken || error instanceof errors.ResponseExceededMaxSizeError;

/** Whether the client has gone. */
export const hasLeft = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';
