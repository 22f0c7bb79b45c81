import { createWriteStream } from 'node:fs';
import { mkdir, unlink } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { dirname } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import {
  createBucket,
  isMissing,
  isS3Error,
  openS3Client,
  removeObjects,
  type S3Account,
} from '@foyer/shared/s3/client';
import { type Client, CopyDestinationOptions, CopySourceOptions } from 'minio';

import { ObjectChanged, ObjectMissing, type Listed, type ObjectStore, type Stored } from '#ports/object-store.ts';
import { segmentsOf } from './disk-paths.ts';
import { guarded } from './guarded.ts';

/** The address and credentials of a bucket on an S3 server. */
export interface S3 extends S3Account {
  /** The endpoint in presigned links. */
  publicEndpoint: URL;
  bucket: string;
  /** How many objects one request lists or removes; S3 allows a thousand at most. */
  pageSize?: number;
}

/** The part size for streams of unknown length, which is held in memory. S3's ten thousand parts make 160 GiB. */
const PART_BYTES = 16 * 2 ** 20;

/** The most that S3 copies in one request. */
const COPY_LIMIT_BYTES = 5 * 2 ** 30;

const PAGE_LIMIT = 1000;

/** The key under which the write probe stores an empty object for a moment. No name of a tenant begins with a dot. */
const WRITE_PROBE = '.write-probe';

/** The object store on an S3 server. It creates a missing bucket as soon as the server answers. */
export function s3ObjectStore(s3: S3): ObjectStore {
  const client = clientOf(s3);
  const signer = clientOf({ ...s3, endpoint: s3.publicEndpoint }); // only signs links, sends no requests
  const { bucket, pageSize = PAGE_LIMIT } = s3;

  async function stat(key: string): Promise<Stored | null> {
    segmentsOf(key);
    const found = await client.statObject(bucket, key).catch(missingIsNull);
    return found && { size: found.size, etag: bare(found.etag), modifiedAt: found.lastModified };
  }

  async function statOrThrow(key: string): Promise<Stored> {
    const found = await stat(key);
    if (!found) throw new ObjectMissing(key);
    return found;
  }

  async function read(key: string, range?: { start: number; end: number }): Promise<Readable> {
    const stream = range
      ? client.getPartialObject(bucket, key, range.start, range.end - range.start + 1)
      : client.getObject(bucket, key);
    return stream.catch((error: unknown) => {
      throw isMissing(error) ? new ObjectMissing(key, error) : error;
    });
  }

  /** Reads an object that had this ETag when it was opened. */
  async function readVersion(key: string, etag: string, range?: { start: number; end: number }): Promise<Readable> {
    const stream = await read(key, range).catch((error: unknown) => {
      throw isS3Error(error, outside) ? new ObjectChanged(key, error) : error; // it is shorter now
    });
    const sent = (stream as IncomingMessage).headers.etag; // the client returns the response itself
    if (sent === undefined || bare(sent) === etag) return stream;
    stream.destroy();
    throw new ObjectChanged(key);
  }

  async function copy(from: string, to: string): Promise<void> {
    segmentsOf(to);
    const { size } = await statOrThrow(from);
    const source = new CopySourceOptions({ Bucket: bucket, Object: from });
    const destination = new CopyDestinationOptions({ Bucket: bucket, Object: to });
    if (size > COPY_LIMIT_BYTES) await client.composeObject(destination, [source]);
    else await client.copyObject(source, destination);
  }

  const store: ObjectStore = {
    async put(key, bytes) {
      segmentsOf(key);
      if (bytes instanceof Uint8Array) await client.putObject(bucket, key, Buffer.from(bytes), bytes.byteLength);
      else await putStream(client, { bucket, key, bytes });
      return statOrThrow(key);
    },
    async putFile(key, file) {
      segmentsOf(key);
      await client.fPutObject(bucket, key, file);
      await unlink(file);
      return statOrThrow(key);
    },
    async open(key) {
      const found = await stat(key);
      return found && { ...found, read: (range) => readVersion(key, found.etag, range), close: async () => undefined };
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
        await removeObjects(client, bucket, keys.slice(from, from + pageSize));
    },
    async *list(prefix): AsyncGenerator<Listed> {
      let next = '';
      do {
        const page = await client.listObjectsV2Query(bucket, prefix, next, '', pageSize, '');
        for (const { name, size, etag, lastModified } of page.objects)
          if (name !== undefined && name !== WRITE_PROBE)
            yield { key: name, size, etag: bare(etag), modifiedAt: lastModified };
        next = page.isTruncated ? page.nextContinuationToken : '';
      } while (next !== '');
    },
    presign: async (key, seconds) => new URL(await signer.presignedGetObject(bucket, key, seconds)),
    async check() {
      await client.putObject(bucket, WRITE_PROBE, Buffer.alloc(0), 0);
      await client.removeObject(bucket, WRITE_PROBE);
    },
  };
  return guarded(store, bucketMaker(s3));
}

/** Returns a function that creates a missing bucket, and does nothing more once it is there. */
export function bucketMaker(s3: S3): () => Promise<void> {
  const client = clientOf(s3);
  return once(() => makeBucket(client, s3));
}

/** Runs `work` until it has succeeded once. */
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

const clientOf = (s3: S3) => openS3Client(s3, { partSize: PART_BYTES });

async function makeBucket(client: Client, { bucket, region }: Pick<S3, 'bucket' | 'region'>): Promise<void> {
  if (!(await client.bucketExists(bucket))) await createBucket(client, bucket, region);
}

/** Writes a stream. A broken one leaves no parts behind; the client itself would wait for the rest of it for ever. */
async function putStream(client: Client, { bucket, key, bytes }: { bucket: string; key: string; bytes: Readable }) {
  const feed = new PassThrough();
  try {
    await Promise.all([pipeline(bytes, feed), client.putObject(bucket, key, feed)]);
  } catch (error) {
    await client.removeIncompleteUpload(bucket, key).catch(() => undefined);
    throw error;
  }
}

function missingIsNull(error: unknown): null {
  if (isMissing(error)) return null;
  throw error;
}

/** The error code for a range that begins behind the end. */
const outside: ReadonlySet<string> = new Set(['InvalidRange']);

const bare = (etag: string) => etag.replaceAll('"', '');
