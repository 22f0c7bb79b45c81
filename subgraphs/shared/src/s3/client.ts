import { Client, S3Error, type ClientOptions } from 'minio';

import { limitedTransport } from './limited-transport.ts';

/** The address of an S3 server, and the key of an account there. */
export interface S3Account {
  endpoint: URL;
  region: string;
  accessKey: string;
  secretKey: string;
  /** How long the server may be silent during a request, in milliseconds. */
  timeoutMs: number;
}

type Options = Pick<ClientOptions, 'partSize' | 'retryOptions'>;

/** Opens a client; it connects with the first request. */
export const openS3Client = (account: S3Account, options: Options = {}): Client => {
  const { endpoint, region, accessKey, secretKey, timeoutMs } = account;
  const isSecure = endpoint.protocol === 'https:';
  return new Client({
    endPoint: endpoint.hostname,
    ...(endpoint.port && { port: Number(endpoint.port) }),
    useSSL: isSecure,
    transport: limitedTransport(isSecure, timeoutMs),
    pathStyle: true,
    region,
    accessKey,
    secretKey,
    ...options,
  });
};

/** Creates a bucket. Does nothing when another process has created it first. */
export async function createBucket(client: Client, bucket: string, region: string): Promise<void> {
  await client.makeBucket(bucket, region).catch((error: unknown) => {
    if (!(error instanceof S3Error && error.code?.startsWith('BucketAlready'))) throw error;
  });
}

/** Whether an S3 server answered with one of these error codes. */
export const isS3Error = (error: unknown, codes: ReadonlySet<string>): boolean =>
  error instanceof S3Error && codes.has(error.code ?? '');

/** Removes objects. S3 answers 200 and reports failures in the body; what is missing already is none. */
export async function removeObjects(client: Client, bucket: string, keys: string[]): Promise<void> {
  const answers = await client.removeObjects(bucket, keys);
  const failed = answers.find((answer) => answer?.Error && !missing.has(answer.Error.Code ?? ''))?.Error;
  if (failed) throw new Error(`S3 could not remove ${failed.Key}: ${failed.Message}`);
}

/** The error codes for an object that does not exist: S3 answers HEAD without a body, so that the client names it otherwise. */
const missing: ReadonlySet<string> = new Set(['NotFound', 'NoSuchKey']);

export const isMissing = (error: unknown): boolean => isS3Error(error, missing);
