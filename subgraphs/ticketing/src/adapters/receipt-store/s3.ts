import { addAbortSignal, type Readable } from 'node:stream';

import {
  createBucket,
  isMissing,
  isS3Error,
  openS3Client,
  removeObjects,
  type S3Account,
} from '@foyer/shared/s3/client';

import { checkedName, LARGEST_BYTES, surplusOf, type Kept, type ReceiptStore } from '#ports/receipt-store.ts';

/** A bucket that was set to that of another part by mistake loses nothing: only objects below this are touched. */
const PREFIX = 'printed-receipts/';

const OURS = /^printed-receipts\/[0-9a-f]{64}$/;

/** The most that one request lists or removes. */
const PAGE_SIZE = 1_000;

const noBucket: ReadonlySet<string> = new Set(['NoSuchBucket']);

const keyOf = (name: string) => PREFIX + checkedName(name);

/** Keeps receipts in a bucket of an S3 server, which it creates when the first one is kept. */
export function s3ReceiptStore({ bucket, ...account }: S3Account & { bucket: string }): ReceiptStore {
  // A second attempt would take longer than printing.
  const client = openS3Client(account, { retryOptions: { disableRetry: true } });

  /** A bucket that others made keeps its own rules. */
  async function makeBucket(): Promise<void> {
    await createBucket(client, bucket, account.region);
    const rule = { ID: 'printed-receipts', Filter: { Prefix: PREFIX }, Status: 'Enabled', Expiration: { Days: 1 } };
    // Also without Foyer running receipts end then. Servers without such rules leave it to `sweep`.
    await client.setBucketLifecycle(bucket, { Rule: [rule] }).catch(() => undefined);
  }

  async function* list(): AsyncGenerator<Kept> {
    let next = '';
    do {
      const page = await client.listObjectsV2Query(bucket, PREFIX, next, '', PAGE_SIZE, '');
      for (const { name = '', lastModified } of page.objects)
        if (lastModified && OURS.test(name)) yield { name, keptAt: lastModified };
      next = page.isTruncated ? page.nextContinuationToken : '';
    } while (next !== '');
  }

  return {
    async find(name, signal) {
      const stream = await client.getObject(bucket, keyOf(name)).catch((error: unknown) => {
        if (isMissing(error) || isS3Error(error, noBucket)) return null;
        throw error;
      });
      return stream && readAll(stream, signal);
    },
    async keep(name, bytes) {
      const put = () => client.putObject(bucket, keyOf(name), Buffer.from(bytes), bytes.byteLength);
      try {
        await put();
      } catch (error) {
        if (!isS3Error(error, noBucket)) throw error;
        await makeBucket();
        await put();
      }
    },
    async sweep(until, most, signal) {
      const all: Kept[] = [];
      try {
        for await (const kept of list()) {
          signal.throwIfAborted();
          all.push(kept);
        }
      } catch (error) {
        if (isS3Error(error, noBucket)) return;
        throw error;
      }
      const keys = surplusOf(all, until, most);
      for (let from = 0; from < keys.length; from += PAGE_SIZE) {
        signal.throwIfAborted();
        await removeObjects(client, bucket, keys.slice(from, from + PAGE_SIZE));
      }
    },
  };
}

async function readAll(stream: Readable, signal: AbortSignal): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  // Leaving the loop ends the stream, and with it the connection.
  for await (const chunk of addAbortSignal(signal, stream) as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > LARGEST_BYTES) throw new RangeError('a printed receipt is longer than any that was kept');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
