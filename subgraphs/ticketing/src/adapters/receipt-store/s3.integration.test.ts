import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import { openS3Client } from '@foyer/shared/s3/client';
import { noS3, s3Account, s3Endpoint, whyNoS3 } from '@foyer/shared/testing/s3';
import { describe, expect, it } from 'vitest';

import { nameOf, receiptStoreContract } from './contract.ts';
import { s3ReceiptStore } from './s3.ts';

const signal = new AbortController().signal;
const account = (url = new URL(s3Endpoint)) => ({
  endpoint: url,
  region: 'us-east-1',
  ...s3Account,
  timeoutMs: 60_000,
});
let buckets = 0;
const newBucket = () => `receipts-${process.pid}-${Date.now().toString(36)}-${(buckets += 1)}`;

function aStore(bucket = newBucket()) {
  const store = s3ReceiptStore({ ...account(), bucket });
  return { store, stop: () => store.sweep(new Date(Date.now() + 3_600_000), 0, signal) };
}

receiptStoreContract({ where: 'an S3 server', isS3: true }, async () => aStore());

describe('the store of printed receipts on an S3 server', () => {
  it('asks the server to end receipts after a day, when it creates the bucket', async () => {
    const requests: string[] = [];
    let isThere = false;
    const server = createServer((request, response) => {
      void text(request).then((body) => {
        requests.push(`${request.method} ${request.url} ${request.url?.endsWith('lifecycle') ? body : ''}`.trim());
        if (request.url === '/foyer-receipts') isThere = true;
        if (!isThere) return response.writeHead(404).end('<Error><Code>NoSuchBucket</Code></Error>');
        return response.setHeader('etag', '"1"').end();
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const store = s3ReceiptStore({ ...account(url), bucket: 'foyer-receipts' });
    await store.keep(nameOf('first'), Buffer.from('x'), signal);
    server.close().closeAllConnections();

    const object = `PUT /foyer-receipts/printed-receipts/${nameOf('first')}`;
    const rule = '<ID>printed-receipts</ID><Filter><Prefix>printed-receipts/</Prefix></Filter><Status>Enabled</Status>';
    expect(requests).toEqual([
      object,
      'PUT /foyer-receipts',
      `PUT /foyer-receipts?lifecycle <LifecycleConfiguration><Rule>${rule}<Expiration><Days>1</Days></Expiration></Rule></LifecycleConfiguration>`,
      object,
    ]);
  });

  it.skipIf(noS3)(`creates its bucket once, when several processes keep the first receipt${whyNoS3}`, async () => {
    const bucket = newBucket();
    const stores = [aStore(bucket), aStore(bucket)];
    await Promise.all(stores.map(({ store }, at) => store.keep(nameOf(`${at}`), Buffer.from(`${at}`), signal)));

    for (const [at, { store }] of stores.toReversed().entries())
      expect(await store.find(nameOf(`${at}`), signal)).toEqual(Buffer.from(`${at}`));
    await stores[0]?.stop();
  });

  it.skipIf(noS3)(`removes nothing of others from a bucket that it shares by mistake${whyNoS3}`, async () => {
    const bucket = newBucket();
    const { store } = aStore(bucket);
    await store.keep(nameOf('ours'), Buffer.from('x'), signal);
    const client = openS3Client(account());
    const others = ['film.mp4', 'printed-receipts/film.mp4', nameOf('bare')];
    for (const key of others) await client.putObject(bucket, key, 'theirs');
    const sweepAll = async () => {
      await store.sweep(new Date(Date.now() + 3_600_000), 0, signal);
      return store.find(nameOf('ours'), signal);
    };

    await expect.poll(sweepAll).toBeNull();
    for (const key of others) expect((await client.statObject(bucket, key)).size).toBe(6);
    await client.removeObjects(bucket, others);
  });
});
