import type { UploadToken } from '@foyer/prisma/client';
import type { MediaTransaction } from '@foyer/prisma/media';

import type { Services } from '../context.ts';
import { fits, sum } from './quota.ts';
import { quotaExceeded } from './refusals.ts';
import { quotaOf, reservedBy, storedBy } from './usage.ts';

export interface QuotaNeeds extends Pick<Services, 'clock'> {
  uploadRules: Pick<Services['uploadRules'], 'quota'>;
}

/** An upload, as its token describes it. */
type Planned = Pick<UploadToken, 'organizationId'> & { fileSize: bigint | number; tokenHash?: string };

/**
 * Refuses an upload for which its organization has no room: a prepared upload reserves its size until it expires, a
 * running one until it ends. A legacy upload that names no organization has no quota.
 *
 * Holds a lock of the organization until the end of the transaction, so that of parallel uploads only those pass that
 * fit together. The transaction must record the upload.
 *
 * @param stage prepare: whatever is reserved counts; begin: the uploads that run; complete: what is stored alone. So an
 *   upload that was prepared in time always passes, unless the quota was lowered since.
 * @throws {Refusal} `MEDIA_QUOTA_EXCEEDED`
 */
export async function holdToQuota(
  { clock, uploadRules }: QuotaNeeds,
  tx: MediaTransaction,
  stage: 'prepare' | 'begin' | 'complete',
  { organizationId, fileSize, tokenHash }: Planned,
): Promise<void> {
  if (organizationId === null) return;
  const quota = await quotaOf(tx, organizationId, { uploadRules });
  if (quota.bytes === null && quota.items === null) return;
  await tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`media quota of ${organizationId}`}, 0))::text`;
  const stored = await storedBy(tx, organizationId);
  const counted = { prepared: stage === 'prepare', now: clock.now(), ...(tokenHash && { except: { tokenHash } }) };
  const used = stage === 'complete' ? stored : sum(stored, await reservedBy(tx, organizationId, counted));
  if (!fits(sum(used, { bytes: Number(fileSize), items: 1 }), quota)) throw quotaExceeded(quota, used);
}
