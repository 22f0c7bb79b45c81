import { z } from 'zod';

import { milliseconds } from '../config/config.ts';

export const bucketName = z.string().regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be a bucket name');

/** The variables with the address of an S3 server and the key of an account there. */
export const S3Env = z.object({
  S3_ENDPOINT: z.url({ protocol: /^https?$/, message: 'must be a http:// or https:// URL' }).optional(),
  S3_REGION: z.string().default('us-east-1'),
  S3_ACCESS_KEY: z.string().optional(),
  S3_SECRET_KEY: z.string().optional(),
  STORE_TIMEOUT_MS: milliseconds().default(15_000),
});
