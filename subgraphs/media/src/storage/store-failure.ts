import { Refusal } from '@foyer/shared/errors';

import { storeAway, storeFull, storeReadOnly } from './refusals.ts';

/** The codes of a file system, and of S3 servers, for no space and an exhausted quota. */
const fullCodes = new Set(['ENOSPC', 'EDQUOT', 'QuotaExceeded', 'XMinioStorageFull', 'InsufficientStorage']);

/** Those for a file system mounted read-only, and for missing rights. */
const readOnlyCodes = new Set(['EROFS', 'EACCES', 'EPERM', 'AccessDenied', 'AllAccessDisabled']);

const unavailableCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ESTALE',
  'TimeoutError',
  'SlowDown',
  'ServiceUnavailable',
  'InternalError',
]);

interface Failure {
  code?: string;
  name?: string;
  message?: string;
  /** The call to the operating system that failed. */
  syscall?: string;
  /** Of the AWS client. */
  $metadata?: { httpStatusCode?: number };
}

const factsOf = (error: unknown): Failure => (error instanceof Error ? error : {});

const hasCode = ({ code = '', name = '' }: Failure, codes: ReadonlySet<string>) => codes.has(code) || codes.has(name);

function isFull(error: unknown): boolean {
  const failure = factsOf(error);
  return hasCode(failure, fullCodes) || failure.$metadata?.httpStatusCode === 507;
}

/** A program that may not be started has nothing to do with the store. */
function isReadOnly(error: unknown): boolean {
  const failure = factsOf(error);
  return hasCode(failure, readOnlyCodes) && !failure.syscall?.startsWith('spawn');
}

/** Whether an S3 server can't be reached, or says that it can't serve: the error of either of its clients. */
function isUnavailable(error: unknown): boolean {
  const failure = factsOf(error);
  if (hasCode(failure, unavailableCodes)) return true;
  if (error instanceof AggregateError) return error.errors.every(isUnavailable);
  const { message = '', $metadata } = failure;
  return ($metadata?.httpStatusCode ?? 0) >= 500 || /maxretries|retryable http status|socket hang up/i.test(message);
}

/**
 * Returns a refusal for an error that means that the object store, or the disk on which files for it are made, is full,
 * can't be written or can't be reached; any other error as it is.
 */
export function asStoreFailure(error: unknown): unknown {
  if (error instanceof Refusal) return error;
  if (isFull(error)) return storeFull(error);
  if (isReadOnly(error)) return storeReadOnly(error);
  return isUnavailable(error) ? storeAway(error) : error;
}

const reasons = new Set(['STORE_AWAY', 'STORE_FULL', 'STORE_READ_ONLY']);

/** Whether an error means that the store can't be used now, so that the same work may succeed later. */
export function isStoreFailure(error: unknown): boolean {
  const failure = asStoreFailure(error);
  return failure instanceof Refusal && reasons.has(failure.reason);
}
