import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

import { S3Store, type MetadataValue } from '@tus/s3-store';
import { TUS_RESUMABLE, Upload } from '@tus/server';

import type { UploadStore } from '#ports/upload-store.ts';
import type { UploadJournal } from '../../uploads/journal.ts';
import { bucketMaker, type S3 } from '../object-store/s3.ts';
import { completedUpload } from './completed-upload.ts';
import { sendInParts } from './spooled-parts.ts';
import { verified } from './verified.ts';

/** Each part is on the local disk while it is sent. */
const PARTS_AT_ONCE = 4;

/** How long a server may be silent while it joins the parts of an upload. */
const JOINING_MS = 60_000;

interface Options {
  s3: S3;
  /** The prefix of the keys of uploads. */
  prefix: string;
  /** A folder of this process alone. */
  scratch: string;
  journal: UploadJournal;
}

/** Stores uploads as multipart uploads of an S3 bucket: the move to their final key is a copy within it. */
export class S3UploadStore extends S3Store implements UploadStore {
  readonly #journal: UploadJournal;
  readonly #prefix: string;
  readonly #scratch: string;
  readonly #makeBucket: () => Promise<void>;

  constructor({ s3, prefix, scratch, journal }: Options) {
    super({
      partSize: 8 * 2 ** 20,
      maxConcurrentPartUploads: PARTS_AT_ONCE,
      useTags: false, // many servers do not support tags
      s3ClientConfig: {
        bucket: s3.bucket,
        endpoint: s3.endpoint.href,
        region: s3.region,
        forcePathStyle: true,
        requestChecksumCalculation: 'WHEN_REQUIRED',
        responseChecksumValidation: 'WHEN_REQUIRED',
        requestHandler: { connectionTimeout: s3.timeoutMs, socketTimeout: Math.max(s3.timeoutMs, JOINING_MS) },
        credentials: { accessKeyId: s3.accessKey, secretAccessKey: s3.secretKey },
      },
    });
    this.#journal = journal;
    this.#prefix = prefix;
    this.#scratch = scratch;
    this.#makeBucket = bucketMaker(s3);
    this.extensions = [...this.extensions.filter((name) => name !== 'expiration'), 'checksum'];
  }

  keyOf(id: string): string {
    return `${this.#prefix}/${id}`;
  }

  #idOf(key: string): string {
    return key.slice(this.#prefix.length + 1);
  }

  override async create(upload: Upload): Promise<Upload> {
    await this.#makeBucket();
    return renamed(await super.create(renamed(upload, this.keyOf(upload.id))), upload.id);
  }

  /** A completed upload was moved, but a client that missed the last response may still query it. */
  override async getUpload(id: string): Promise<Upload> {
    return (
      (await completedUpload(this.#journal, id)) ??
      super.getUpload(this.keyOf(id)).then(
        (upload) => renamed(upload, id),
        async (error: unknown) => {
          const moved = await completedUpload(this.#journal, id); // between the two looks
          if (moved) return moved;
          throw error;
        },
      )
    );
  }

  override async write(readable: Readable, id: string, offset: number): Promise<number> {
    return verified(readable, this.#scratch, async (bytes) => {
      const info = await this.#journal.get(id);
      if (info?.completed || (info?.size === offset && (await this.#object(id)))) return offset;
      return super.write(bytes, this.keyOf(id), offset);
    });
  }

  /**
   * Like the library's own, which keeps parts in the folder for temporary files of the system and has no option for
   * another: killed processes leave them behind, so they belong in a folder that is swept.
   */
  protected override uploadParts(upload: MetadataValue, bytes: Readable, first: number, offset: number) {
    const { id, size } = upload.file;
    let [number, end] = [first, offset];
    return sendInParts(bytes, {
      partBytes: this.calcOptimalPartSize(size),
      folder: this.#scratch,
      acquire: () => this.partUploadSemaphore.acquire(),
      send: (part, partBytes) => {
        end += partBytes;
        return partBytes >= this.minPartSize || end === size
          ? this.uploadPart(upload, part, number++)
          : this.uploadIncompletePart(id, part);
      },
    });
  }

  protected override async uniqueTmpFileName(prefix: string): Promise<string> {
    return join(this.#scratch, `${prefix}${randomUUID()}`);
  }

  override declareUploadLength(id: string, length: number): Promise<void> {
    return super.declareUploadLength(this.keyOf(id), length);
  }

  override async remove(id: string): Promise<void> {
    await this.discard(id);
    await this.#journal.delete(id);
  }

  /** Keeps the metadata in the journal: the bucket gets no extra object and no token. */
  protected override async saveMetadata(upload: Upload, multipartId: string): Promise<void> {
    await this.#journal.set(this.#idOf(upload.id), { size: upload.size, metadata: upload.metadata, multipartId });
  }

  protected override async getMetadata(key: string) {
    const info = await this.#journal.get(this.#idOf(key));
    if (!info?.multipartId) throw Object.assign(new Error(`no upload ${key}`), { Code: 'NotFound', name: 'NotFound' });
    const { size, metadata, createdAt } = info;
    const file = new Upload({
      id: key,
      offset: 0,
      creation_date: createdAt,
      ...(size !== undefined && { size }),
      ...(metadata && { metadata }),
    });
    return { file, 'upload-id': info.multipartId, 'tus-version': TUS_RESUMABLE };
  }

  async received(id: string) {
    const info = await this.#journal.get(id);
    if (!info?.multipartId) return null;
    const whole = await this.#object(id);
    if (whole) return whole;
    const parts = (await this.#parts(id)) ?? [];
    const rest = await this.#head(this.partKey(this.keyOf(id), true));
    const pieces = [
      ...parts.map((part) => ({ bytes: part.Size ?? 0, lastAt: part.LastModified })),
      ...(rest ? [rest] : []),
    ];
    const lastAt = pieces.reduce(
      (latest, { lastAt: at }) => Math.max(latest, at?.getTime() ?? 0),
      Date.parse(info.createdAt),
    );
    return { bytes: pieces.reduce((sum, { bytes }) => sum + bytes, 0), lastAt: new Date(lastAt) };
  }

  /** Joins the parts, should a crash have prevented it. */
  async flush(id: string): Promise<void> {
    if (await this.#object(id)) return;
    const parts = await this.#parts(id);
    if (parts) await this.finishMultipartUpload(await this.getMetadata(this.keyOf(id)), parts);
  }

  async discard(id: string): Promise<void> {
    const key = this.keyOf(id);
    const open = await this.client.listMultipartUploads({ Bucket: this.bucket, Prefix: key }).catch(missingIsNull);
    for (const { Key, UploadId } of open?.Uploads ?? []) {
      if (Key === key)
        await this.client.abortMultipartUpload({ Bucket: this.bucket, Key, UploadId }).catch(missingIsNull);
    }
    for (const Key of [key, this.partKey(key, true)]) {
      await this.client.deleteObject({ Bucket: this.bucket, Key }).catch(missingIsNull);
    }
  }

  #object(id: string) {
    return this.#head(this.keyOf(id));
  }

  async #head(Key: string) {
    const found = await this.client.headObject({ Bucket: this.bucket, Key }).catch(missingIsNull);
    return found && { bytes: found.ContentLength ?? 0, lastAt: found.LastModified ?? new Date() };
  }

  #parts(id: string) {
    return this.retrieveParts(this.keyOf(id)).catch(missingIsNull);
  }
}

const renamed = ({ size, offset, metadata, creation_date, storage }: Upload, id: string) =>
  new Upload({
    id,
    offset,
    ...(size !== undefined && { size }),
    ...(metadata && { metadata }),
    ...(creation_date && { creation_date }),
    ...(storage && { storage }),
  });

const missing = new Set(['NotFound', 'NoSuchKey', 'NoSuchUpload']);

function missingIsNull(error: unknown): null {
  const { name, Code } = error as { name?: string; Code?: string };
  if (missing.has(name ?? '') || missing.has(Code ?? '')) return null;
  throw error;
}
