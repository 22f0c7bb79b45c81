import { Refusal } from '@foyer/shared/errors';
import { describe, expect, it } from 'vitest';

import { asStoreFailure, isStoreFailure } from './store-failure.ts';

const failed = (facts: object, message = 'x') => Object.assign(new Error(message), facts);
const reasonFor = (error: unknown) => {
  const failure = asStoreFailure(error);
  return failure instanceof Refusal ? failure.reason : null;
};

describe('an error of a store', () => {
  it.each([
    ['a full disk', { code: 'ENOSPC' }, 'STORE_FULL'],
    ['an exhausted quota', { code: 'EDQUOT' }, 'STORE_FULL'],
    ['a full bucket', { code: 'QuotaExceeded' }, 'STORE_FULL'],
    ['an S3 server that answers 507', { $metadata: { httpStatusCode: 507 } }, 'STORE_FULL'],
    ['a disk that is mounted read-only', { code: 'EROFS' }, 'STORE_READ_ONLY'],
    ['a folder without rights', { code: 'EACCES' }, 'STORE_READ_ONLY'],
    ['a bucket without rights', { name: 'AccessDenied' }, 'STORE_READ_ONLY'],
    ['a server that is gone', { code: 'ECONNREFUSED' }, 'STORE_AWAY'],
    ['a silent server', { code: 'ETIMEDOUT' }, 'STORE_AWAY'],
    ['a busy server', { code: 'SlowDown' }, 'STORE_AWAY'],
    ['a failing server', { $metadata: { httpStatusCode: 503 } }, 'STORE_AWAY'],
  ])('names %s', (_what, facts, reason) => {
    expect(reasonFor(failed(facts))).toBe(reason);
    expect(isStoreFailure(failed(facts))).toBe(true);
  });

  it('is known when the client has tried again by itself', () => {
    expect(reasonFor(failed({}, 'Request failed after 1 retries: Error: Retryable HTTP status: 503'))).toBe(
      'STORE_AWAY',
    );
  });

  it('tells when to try again', () => {
    for (const code of ['ENOSPC', 'EROFS', 'ECONNREFUSED'])
      expect(asStoreFailure(failed({ code }))).toMatchObject({ extensions: { retryAfter: expect.any(Number) } });
  });

  it('is nothing else: a bug, a refusal, or a program that may not be started', () => {
    const refusal = new Refusal('NOT_FOUND', 'MEDIA_NOT_FOUND', 'There is no such media.');
    for (const error of [
      failed({}),
      refusal,
      failed({ code: 'EACCES', syscall: 'spawn /bin/ffmpeg' }),
      null,
      'ENOSPC',
    ]) {
      expect(asStoreFailure(error)).toBe(error);
      expect(isStoreFailure(error)).toBe(false);
    }
  });
});
