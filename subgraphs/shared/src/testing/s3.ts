// For tests: the S3 server that test/support/s3-server.sh starts.
import { describe } from 'vitest';

import { lacks, why } from './missing.ts';

/** Its address; empty where there is none. */
export const s3Endpoint = process.env['TEST_S3_ENDPOINT'] ?? '';

/** An account there. */
export const s3Account = { accessKey: 'test:tester', secretKey: 'testing' };

/** The variables of a server that uses it, but for its bucket. */
export const s3Variables = {
  S3_ENDPOINT: s3Endpoint,
  S3_ACCESS_KEY: s3Account.accessKey,
  S3_SECRET_KEY: s3Account.secretKey,
};

/** Whether tests on S3 are skipped, and why, to append to their titles. */
export const noS3 = lacks('S3 server');
export const whyNoS3 = why('S3 server');

/**
 * Declares the same tests for several stores. Those on S3 are skipped where there is no S3 server.
 *
 * @param title what is tested, up to and including "on"
 */
export function describeStores<Store extends { where: string; isS3?: boolean }>(
  title: string,
  stores: readonly Store[],
  tests: (store: Store) => void,
): void {
  for (const store of stores) {
    const { where, isS3 = false } = store;
    describe.skipIf(isS3 && noS3)(`${title} ${where}${isS3 ? whyNoS3 : ''}`, () => {
      tests(store);
    });
  }
}
