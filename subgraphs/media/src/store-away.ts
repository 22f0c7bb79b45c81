import { Refusal } from '@foyer/shared/errors';

const codes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'TimeoutError',
]);

interface Failure {
  code?: string;
  name?: string;
  message?: string;
  /** Of the AWS client. */
  $metadata?: { httpStatusCode?: number };
}

/** An S3 server that can't be reached or says that it can't serve, in the words of either of its clients. */
function isAway(error: unknown): boolean {
  const { code = '', name = '', message = '', $metadata }: Failure = error instanceof Error ? error : {};
  if (codes.has(code) || codes.has(name)) return true;
  if (['SlowDown', 'ServiceUnavailable', 'InternalError'].includes(code)) return true;
  if (error instanceof AggregateError) return error.errors.every(isAway);
  return ($metadata?.httpStatusCode ?? 0) >= 500 || /maxretries|socket hang up/i.test(message);
}

/** Says of a failure of the object store whether the store is away: asking again later may help. */
export const orStoreAway = (error: unknown): unknown =>
  isAway(error)
    ? new Refusal('UPSTREAM_UNAVAILABLE', 'STORE_AWAY', 'The object store does not answer.', { cause: error })
    : error;
