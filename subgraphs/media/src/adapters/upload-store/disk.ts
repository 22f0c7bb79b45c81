import { open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { FileStore, type Configstore } from '@tus/file-store';
import { Upload } from '@tus/server';

import type { UploadStore } from '#ports/upload-store.ts';
import type { UploadJournal } from '../../uploads/journal.ts';
import { ignoring } from '../file-errors.ts';
import { completedUpload } from './completed-upload.ts';
import { FileWriter } from './file-writer.ts';
import { verified } from './verified.ts';

interface Options {
  bucketFolder: string;
  /** The prefix of the keys of uploads. */
  prefix: string;
  /** A folder of this process alone. */
  scratch: string;
  journal: UploadJournal;
}

/** Stores uploads as files inside the bucket, so that the move to their final key is a rename. */
export class DiskUploadStore extends FileStore implements UploadStore {
  readonly #journal: UploadJournal;
  readonly #prefix: string;
  readonly #scratch: string;

  constructor({ bucketFolder, prefix, scratch, journal }: Options) {
    super({ directory: join(bucketFolder, prefix), configstore: configstoreOf(journal) });
    this.#journal = journal;
    this.#prefix = prefix;
    this.#scratch = scratch;
    // `expiration` would remove finished uploads: the store compares their size with the offset at creation.
    this.extensions = [...this.extensions.filter((name) => name !== 'expiration'), 'checksum'];
  }

  /** A completed upload was moved, but a client that missed the last response may still query it. */
  override async getUpload(id: string): Promise<Upload> {
    return (
      (await completedUpload(this.#journal, id)) ??
      super.getUpload(id).catch(async (error: unknown) => {
        const moved = await completedUpload(this.#journal, id); // between the two looks
        if (moved) return moved;
        throw error;
      })
    );
  }

  override async write(readable: Readable, id: string, offset: number): Promise<number> {
    return verified(readable, this.#scratch, async (bytes) => {
      const info = await this.#journal.get(id);
      return info?.completed ? offset : this.#append(bytes, id, offset);
    });
  }

  /** Unlike the library's, it throws the errors of the disk, which tell a full one from others. */
  async #append(bytes: Readable, id: string, offset: number): Promise<number> {
    await using file = await open(join(this.directory, id), 'r+');
    const writer = new FileWriter(file, offset);
    await pipeline(bytes, writer);
    return offset + writer.bytesWritten;
  }

  keyOf(id: string): string {
    return `${this.#prefix}/${id}`;
  }

  async received(id: string) {
    const found = await stat(join(this.directory, id)).catch(ignoring('ENOENT'));
    return found && { bytes: found.size, lastAt: found.mtime };
  }

  async flush(id: string): Promise<void> {
    await using file = await open(join(this.directory, id), 'r+').catch(ignoring('ENOENT')); // when it was completed before
    await file?.sync();
  }

  async discard(id: string): Promise<void> {
    await rm(join(this.directory, id), { force: true });
  }
}

const configstoreOf = (journal: UploadJournal): Configstore => ({
  async get(id) {
    const info = await journal.get(id);
    return info && new Upload({ id, offset: 0, creation_date: info.createdAt, ...defined(info) });
  },
  set: (id, upload) => journal.set(id, upload),
  delete: (id) => journal.delete(id),
});

const defined = ({
  size,
  metadata,
}: {
  size: number | undefined;
  metadata: Record<string, string | null> | undefined;
}) => ({
  ...(size !== undefined && { size }),
  ...(metadata && { metadata }),
});
