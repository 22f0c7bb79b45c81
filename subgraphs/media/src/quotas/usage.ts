import { Prisma, type Media } from '@foyer/prisma/client';
import type { MediaTransaction } from '@foyer/prisma/media';
import type { Id } from '@foyer/shared/ids';

import type { Services } from '../context.ts';
import type { Amount, Quota } from './quota.ts';

type Tables = Pick<MediaTransaction, 'mediaUsage' | 'unpurgedMedia' | 'mediaQuota' | '$queryRaw'>;

/** Returns the quota of an organization: its own, or the configured one. */
export async function quotaOf(
  db: Tables,
  organizationId: Id | string,
  { uploadRules }: { uploadRules: Pick<Services['uploadRules'], 'quota'> },
): Promise<Quota> {
  const own = await db.mediaQuota.findUnique({ where: { organizationId } });
  if (!own) return uploadRules.quota;
  return { bytes: own.bytes === null ? null : Number(own.bytes), items: own.items };
}

/** Returns what an organization stores, with the bytes that its deletions have left in the store. */
export async function storedBy(db: Tables, organizationId: string): Promise<Amount> {
  const unpurged = await db.unpurgedMedia.findUnique({ where: { organizationId } });
  const { _sum } = await db.mediaUsage.aggregate({ where: { organizationId }, _sum: { bytes: true, items: true } });
  return { bytes: Number(_sum.bytes ?? 0) + Number(unpurged?.bytes ?? 0), items: _sum.items ?? 0 };
}

/** Counts the file of an item that is deleted without its files: whoever deletes so gets no room for it. */
export async function countUnpurged(
  tx: Pick<MediaTransaction, 'unpurgedMedia'>,
  { organizationId, fileSize: bytes }: Pick<Media, 'organizationId' | 'fileSize'>,
): Promise<void> {
  if (organizationId === null) return;
  const update = { bytes: { increment: bytes } };
  await tx.unpurgedMedia.upsert({ where: { organizationId }, create: { organizationId, bytes }, update });
}

interface Reserved {
  /** With uploads that are prepared, but have not begun. */
  prepared: boolean;
  /** The upload that is not counted. */
  except?: { tokenHash: string };
  now: Date;
}

/** Returns what the uploads of an organization will take: those that run, and with `prepared` also those that may begin. */
export async function reservedBy(
  db: Tables,
  organizationId: string,
  { prepared, except, now }: Reserved,
): Promise<Amount> {
  const mayBegin = prepared ? Prisma.sql`OR (token.upload_id IS NULL AND token.expires_at > ${now})` : Prisma.empty;
  const [reserved] = await db.$queryRaw<{ items: bigint; bytes: bigint }[]>`
    SELECT count(*) AS items, coalesce(sum(token.file_size), 0)::bigint AS bytes
      FROM media.upload_token token LEFT JOIN media.upload upload ON upload.id = token.upload_id
     WHERE token.organization_id = ${organizationId} AND token.used_at IS NULL
       AND token.token_hash <> ${except?.tokenHash ?? ''}
       AND (upload.state IN ('receiving', 'finished') ${mayBegin})`;
  return { bytes: Number(reserved?.bytes ?? 0), items: Number(reserved?.items ?? 0) };
}
