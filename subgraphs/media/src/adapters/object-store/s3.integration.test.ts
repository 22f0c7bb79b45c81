import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { noS3, s3Account, s3Endpoint, whyNoS3 } from '@foyer/shared/testing/s3';
import { describe, expect, it } from 'vitest';

import { objectStoreContract } from './contract.ts';
import { s3ObjectStore } from './s3.ts';

async function aStore({ pageSize }: { pageSize?: number } = {}) {
  const bucket = `contract-${Date.now().toString(36)}`;
  const at = new URL(s3Endpoint);
  const store = s3ObjectStore({
    endpoint: at,
    publicEndpoint: at,
    bucket,
    region: 'us-east-1',
    timeoutMs: 15_000,
    ...s3Account,
    ...(pageSize && { pageSize }),
  });
  const stop = async () => {
    await store.removeAll((await Array.fromAsync(store.list(''))).map(({ key }) => key));
  };
  return { store, stop };
}

objectStoreContract({ where: 'an S3 server', isS3: true }, () => aStore());

describe('the object store on an S3 server', () => {
  it('presigns links for its public endpoint', async () => {
    const server = createServer((_request, response) => response.end()); // of every bucket it says that it is there
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const store = s3ObjectStore({
      endpoint: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
      publicEndpoint: new URL('https://files.foyer.example'),
      bucket: 'media',
      region: 'us-east-1',
      accessKey: 'key',
      secretKey: 'secret',
      timeoutMs: 15_000,
    });
    const link = await store.presign('a/shared.txt', 60);
    server.close();

    expect(link.origin + link.pathname).toBe('https://files.foyer.example/media/a/shared.txt');
    expect(link.searchParams.get('X-Amz-SignedHeaders')).toBe('host');
  });

  it.skipIf(noS3)(`lists and removes more than one page of objects${whyNoS3}`, async () => {
    const { store, stop } = await aStore({ pageSize: 4 });
    const keys = Array.from({ length: 10 }, (_, number) => `many/${number}`);
    await Promise.all(keys.map((key) => store.put(key, Buffer.from('x'))));

    expect((await Array.fromAsync(store.list('many/'))).map(({ key }) => key)).toEqual(keys);
    await store.removeAll(keys);
    expect(await Array.fromAsync(store.list('many/'))).toEqual([]);
    await stop();
  });

  it.skipIf(noS3)(`presigns links that anyone can read, for a while${whyNoS3}`, async () => {
    const { store, stop } = await aStore();
    await store.put('a/shared é.txt', Buffer.from('for everyone'));
    const link = await store.presign('a/shared é.txt', 60);

    expect(await (await fetch(link)).text()).toBe('for everyone');
    link.searchParams.set('X-Amz-Signature', '0'.repeat(64));
    expect((await fetch(link)).status).toBe(403);
    await stop();
  });
});
