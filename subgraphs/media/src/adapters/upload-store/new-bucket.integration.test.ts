import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';

import { noS3, s3Account, s3Endpoint, whyNoS3 } from '@foyer/shared/testing/s3';
import { Upload } from '@tus/server';
import { expect, it } from 'vitest';

import { S3UploadStore } from './s3.ts';

it.skipIf(noS3)(`the first upload to an S3 server creates its bucket${whyNoS3}`, async () => {
  const endpoint = new URL(s3Endpoint);
  const multipartIds = new Map<string, string | undefined>();
  const store = new S3UploadStore({
    s3: {
      endpoint,
      publicEndpoint: endpoint,
      bucket: `first-${randomUUID()}`,
      region: 'us-east-1',
      timeoutMs: 15_000,
      ...s3Account,
    },
    prefix: 'uploads',
    scratch: tmpdir(),
    journal: {
      get: async () => undefined,
      set: async (id, { multipartId }) => void multipartIds.set(id, multipartId),
      delete: async () => undefined,
    },
  });

  await store.create(new Upload({ id: 'first', size: 5, offset: 0 }));
  expect(multipartIds.get('first')).toEqual(expect.any(String));
});
