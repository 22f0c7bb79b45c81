import type { Prisma, Upload } from '@foyer/prisma/client';
import type { MediaDatabase } from '@foyer/prisma/media';

import { releaseToken } from './upload-token.ts';

/** The state of an upload, as the upload server needs it. */
interface UploadInfo {
  id: string;
  size: number | undefined;
  metadata: Record<string, string | null> | undefined;
  createdAt: string;
  /** All bytes have arrived and were taken over by the library. */
  completed: boolean;
  /** On S3: the id of the multipart upload. */
  multipartId: string | undefined;
}

/** The upload server's state, kept in the database. */
export interface UploadJournal {
  get(id: string): Promise<UploadInfo | undefined>;
  set(
    id: string,
    info: {
      size?: number | undefined;
      metadata?: Record<string, string | null> | undefined;
      multipartId?: string | undefined;
    },
  ): Promise<void>;
  /** Removes an upload that was given up, and releases its token. */
  delete(id: string): Promise<void>;
}

/** The `info` of an upload on a foreign upload server: only that server knows its bytes. */
export const foreign = { foreign: true } satisfies Prisma.InputJsonObject;

export const isForeign = ({ info }: { info: Prisma.JsonValue }) =>
  (info as Partial<typeof foreign> | null)?.foreign === true;

const BATCH = 1000;

/** Returns uploads one after another; those that are removed meanwhile may be among them. */
export async function* eachUpload(db: MediaDatabase, where: Prisma.UploadWhereInput): AsyncGenerator<Upload> {
  for (let after = '', rows: Upload[]; ; after = rows.at(-1)?.id ?? '') {
    rows = await db.upload.findMany({ where: { ...where, id: { gt: after } }, orderBy: { id: 'asc' }, take: BATCH });
    yield* rows;
    if (rows.length < BATCH) return;
  }
}

export const uploadJournal = (db: MediaDatabase): UploadJournal => ({
  async get(id) {
    const row = await db.upload.findUnique({ where: { id } });
    if (!row || row.state === 'rejected') return undefined;
    const { metadata, multipartId } = row.info as Pick<UploadInfo, 'metadata' | 'multipartId'>;
    return {
      id,
      size: row.size === null ? undefined : Number(row.size),
      metadata,
      multipartId,
      createdAt: row.createdAt.toISOString(),
      completed: row.state === 'completed',
    };
  },
  async set(id, { size, metadata, multipartId }) {
    // The token is a secret: the journal keeps only its hash.
    const { uploadToken: _secret, ...shown } = metadata ?? {};
    const info: Prisma.InputJsonObject = { metadata: shown, ...(multipartId && { multipartId }) };
    await db.upload.updateMany({ where: { id, state: 'receiving' }, data: { size: size ?? null, info } });
  },
  async delete(id) {
    await db.$transaction(async (tx) => {
      const gone = await tx.upload.deleteMany({ where: { id, state: 'receiving' } });
      if (gone.count > 0) await releaseToken(tx, id);
    });
  },
});
