import type { Prisma, Upload, UploadState } from '@foyer/prisma/client';
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

/**
 * Returns the uploads that have been in a state since before a moment, one of each organization in turn: many uploads of
 * one never make those of others wait. Which of its own come first differs from call to call, so that none is always last.
 */
export async function* eachUploadInTurn(db: MediaDatabase, state: UploadState, before: Date): AsyncGenerator<Upload> {
  const found = await db.$queryRaw<{ id: string }[]>`
    SELECT u.id FROM media.upload u LEFT JOIN media.upload_token t USING (token_hash)
    WHERE u.state = ${state}::media.upload_state AND coalesce(u.finished_at, u.created_at) < ${before}
    ORDER BY row_number() OVER (PARTITION BY t.organization_id ORDER BY random())`;
  const ids = found.map(({ id }) => id);
  for (let from = 0; from < ids.length; from += BATCH) {
    const batch = ids.slice(from, from + BATCH);
    const rows = await db.upload.findMany({ where: { id: { in: batch }, state } });
    const byId = new Map(rows.map((row) => [row.id, row]));
    yield* batch.flatMap((id) => byId.get(id) ?? []);
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
