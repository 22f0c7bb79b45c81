import { expect, type TestContext } from 'vitest';

/** Where the S3 server of the tests is (test/support/s3-server.sh); undefined where there is none. */
export const s3Endpoint = process.env['TEST_S3_ENDPOINT'];

/** Reports that a machine without an S3 server skips these tests; with CI set that is a failure. */
export function needsS3(context: TestContext): void {
  if (!s3Endpoint && !process.env['CI']) context.skip('TEST_S3_ENDPOINT is unset: see test/support/s3-server.sh');
  expect(s3Endpoint, 'TEST_S3_ENDPOINT').toBeDefined();
}

let buckets = 0;

/** The variables of a server whose store is a new bucket there. */
export const s3Variables = (endpoint = s3Endpoint ?? '') => ({
  S3_ENDPOINT: endpoint,
  S3_BUCKET: `server-${process.pid}-${Date.now().toString(36)}-${buckets++}`,
  S3_ACCESS_KEY: 'test:tester',
  S3_SECRET_KEY: 'testing',
});
