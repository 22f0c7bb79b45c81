import { createWriteStream } from 'node:fs';
import { mkdir, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { Client, CopyDestinationOptions, CopySourceOptions, S3Error } from 'minio';

import { ObjectMissing, type Listed, type ObjectStore, type Stored } from '#ports/object-store.ts';
import { asStoreFailure } from '../../storage/store-failure.ts';
import { segmentsOf } from './disk-paths.ts';

/** How to reach a bucket of an S3 server. */
export interface S3 {
  endpoint: URL;
  /** Where who gets a presigned link reaches it. */
  publicEndpoint: URL;
  bucket: string;
  region: string;
  accessKey: string;
  secretKey: string;
  /** How many objects one request lists or removes; S3 takes a thousand at most. */
  pageSize?: number;
}

/** Of what is written without a known length: so much of it is in memory, and ten thousand parts make 160 GiB. */
const PART_BYTES = 16 * 2 ** 20;

/** S3 copies no more in one request. */
const MOST_COPIED_BYTES = 5 * 2 ** 30;

const MOST_AT_ONCE = 1000;

/** The object store on an S3 server; makes the bucket when there is none, as soon as the server is there. */
export function s3ObjectStore(s3: S3): ObjectStore {
  const client = clientOf(s3);
  const signer = clientOf({ ...s3, endpoint: s3.publicEndpoint }); // signs links, and asks nothing
  const { bucket, region, pageSize = MOST_AT_ONCE } = s3;

  async function stat(key: string): Promise<Stored | null> {
    segmentsOf(key);
    const found = await client.statObject(bucket, key).catch(missingIsNull);
    return found && { size: found.size, etag: bare(found.etag), modifiedAt: found.lastModified };
  }

  async function need(key: string): Promise<Stored> {
    const found = await stat(key);
    if (!found) throw new ObjectMissing(key);
    return found;
  }

  async function read(key: string, range?: { start: number; end: number }): Promise<Readable> {
    const asked = range
      ? client.getPartialObject(bucket, key, range.start, range.end - range.start + 1)
      : client.getObject(bucket, key);
    return asked.catch((error: unknown) => {
      throw isMissing(error) ? new ObjectMissing(key, error) : error;
    });
  }

  async function copy(from: string, to: string): Promise<void> {
    segmentsOf(to);
    const { size } = await need(from);
    const source = new CopySourceOptions({ Bucket: bucket, Object: from });
    const destination = new CopyDestinationOptions({ Bucket: bucket, Object: to });
    if (size > MOST_COPIED_BYTES) await client.composeObject(destination, [source]);
    else await client.copyObject(source, destination);
  }

  const store: ObjectStore = {
    async put(key, bytes) {
      segmentsOf(key);
      if (bytes instanceof Uint8Array) await client.putObject(bucket, key, Buffer.from(bytes), bytes.byteLength);
      else await putStream(client, { bucket, key, bytes });
      return need(key);
    },
    async putFile(key, file) {
      segmentsOf(key);
      await client.fPutObject(bucket, key, file);
      await unlink(file);
      return need(key);
    },
    async open(key) {
      const found = await stat(key);
      return found && { ...found, read: (range) => read(key, range), close: async () => undefined };
    },
    async fetch(key, file) {
      await mkdir(dirname(file), { recursive: true });
      await pipeline(await read(key), createWriteStream(file));
    },
    stat,
    copy,
    async move(from, to) {
      await copy(from, to);
      if (from !== to) await client.removeObject(bucket, from);
    },
    async remove(key) {
      segmentsOf(key);
      await client.removeObject(bucket, key).catch(missingIsNull);
    },
    async removeAll(keys) {
      keys.forEach(segmentsOf);
      for (let from = 0; from < keys.length; from += pageSize)
        await removeAll(client, bucket, keys.slice(from, from + pageSize));
    },
    async *list(prefix): AsyncGenerator<Listed> {
      let next = '';
      do {
        const page = await client.listObjectsV2Query(bucket, prefix, next, '', pageSize, '');
        for (const { name, size, etag, lastModified } of page.objects)
          if (name !== undefined) yield { key: name, size, etag: bare(etag), modifiedAt: lastModified };
        next = page.isTruncated ? page.nextContinuationToken : '';
      } while (next !== '');
    },
    presign: async (key, seconds) => new URL(await signer.presignedGetObject(bucket, key, seconds)),
    check: async () => void (await client.bucketExists(bucket)),
  };
  return guarded(
    store,
    once(() => makeBucket(client, { bucket, region })),
  );
}

/** Every method waits for the bucket, and tells a store that is away from other failures. */
function guarded(store: ObjectStore, bucketIsThere: () => Promise<void>): ObjectStore {
  const over =
    <Given extends unknown[], Answer>(method: (...given: Given) => Promise<Answer>) =>
    async (...given: Given): Promise<Answer> => {
      try {
        await bucketIsThere();
        return await method(...given);
      } catch (error) {
        throw asStoreFailure(error);
      }
    };
  return {
    put: over(store.put),
    putFile: over(store.putFile),
    open: over(store.open),
    fetch: over(store.fetch),
    stat: over(store.stat),
    copy: over(store.copy),
    move: over(store.move),
    remove: over(store.remove),
    removeAll: over(store.removeAll),
    async *list(prefix) {
      try {
        await bucketIsThere();
        yield* store.list(prefix);
      } catch (error) {
        throw asStoreFailure(error);
      }
    },
    presign: over(store.presign),
    check: over(store.check),
  };
}

/** Done until it has succeeded, and then never again. */
function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= work().catch((error: unknown) => {
      done = undefined;
      throw error;
    });
    return done;
  };
}

const clientOf = ({ endpoint, region, accessKey, secretKey }: S3) =>
  new Client({
    endPoint: endpoint.hostname,
    ...(endpoint.port && { port: Number(endpoint.port) }),
    useSSL: endpoint.protocol === 'https:',
    pathStyle: true,
    region,
    accessKey,
    secretKey,
    partSize: PART_BYTES,
  });

async function makeBucket(client: Client, { bucket, region }: Pick<S3, 'bucket' | 'region'>): Promise<void> {
  if (await client.bucketExists(bucket)) return;
  await client.makeBucket(bucket, region).catch((error: unknown) => {
    // Another replica was faster.
    if (!(error instanceof S3Error && error.code?.startsWith('BucketAlready'))) throw error;
  });
}

/** What breaks off leaves no parts behind. The client itself would wait for ever for the rest of a broken stream. */
async function putStream(client: Client, { bucket, key, bytes }: { bucket: string; key: string; bytes: Readable }) {
  const feed = new PassThrough();
  try {
    await Promise.all([pipeline(bytes, feed), client.putObject(bucket, key, feed)]);
  } catch (error) {
    await client.removeIncompleteUpload(bucket, key).catch(() => undefined);
    throw error;
  }
}

/** S3 answers 200 and says in the body what it could not remove. */
async function removeAll(client: Client, bucket: string, keys: string[]): Promise<void> {
  const answers = await client.removeObjects(bucket, keys);
  const failed = answers.find((answer) => answer?.Error && !missing.has(answer.Error.Code ?? ''))?.Error;
  if (failed) throw new Error(`S3 could not remove ${failed.Key}: ${failed.Message}`);
}

const missing = new Set(['NotFound', 'NoSuchKey']);

const isMissing = (error: unknown) => error instanceof S3Error && missing.has(error.code ?? '');

function missingIsNull(error: unknown): null {
  if (isMissing(error)) return null;
  throw error;
}

const bare = (etag: string) => etag.replaceAll('"', '');
