import { s3Variables } from '@foyer/shared/testing/s3';

let buckets = 0;

/** The variables of a server whose store is a new bucket on the S3 server of the tests. @param endpoint a way to it */
export const withNewBucket = (endpoint = s3Variables.S3_ENDPOINT) => ({
  ...s3Variables,
  S3_ENDPOINT: endpoint,
  S3_BUCKET: `server-${process.pid}-${Date.now().toString(36)}-${buckets++}`,
});
