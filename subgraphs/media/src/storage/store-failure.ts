import { storeAway } from './refusals.ts';

const unavailableCodes = new Set([
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

/** Whether an S3 server can't be reached, or says that it can't serve: the error of either of its clients. */
function isUnavailable(error: unknown): boolean {
  const { code = '', name = '', message = '', $metadata }: Failure = error instanceof Error ? error : {};
  if (unavailableCodes.has(code) || unavailableCodes.has(name)) return true;
  if (['SlowDown', 'ServiceUnavailable', 'InternalError'].includes(code)) return true;
  if (error instanceof AggregateError) return error.errors.every(isUnavailable);
  return ($metadata?.httpStatusCode ?? 0) >= 500 || /maxretries|socket hang up/i.test(message);
}

/** Returns a refusal for an error that means that the object store can't be reached; any other error as it is. */
export const asStoreFailure = (error: unknown): unknown => (isUnavailable(error) ? storeAway(error) : error);
