import type { Prisma } from '@foyer/prisma/client';
import type { MediaDatabase } from '@foyer/prisma/media';

import { releaseToken } from './upload-token.ts';

/** What the upload server knows of an upload. */
interface UploadInfo {
  id: string;
  size: number | undefined;
  metadata: Record<string, string | null> | undefined;
  createdAt: string;
  /** Its bytes no longer lie with the upload server: they are all here, and were taken on. */
  completed: boolean;
  /** Of an S3 server: the id of the multipart upload. */
  multipartId: string | undefined;
}

/** The upload server's memory, in the database: it survives whatever a file half written does not. */
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
  /** Forgets an upload that was given up; its token may be used again. */
  delete(id: string): Promise<void>;
}

/** What stands in the `info` of an upload that another upload server takes: of its bytes, only that one knows. */
export const foreign = { foreign: true } satisfies Prisma.InputJsonObject;

export const isForeign = ({ info }: { info: Prisma.JsonValue }) =>
  (info as Partial<typeof foreign> | null)?.foreign === true;

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
    // The token is a secret that the journal keeps as a hash only.
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
