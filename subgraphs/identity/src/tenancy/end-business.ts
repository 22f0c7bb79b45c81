import type { IdentityTransaction } from '@foyer/prisma/identity';
import { clearStorefrontJob, removeChannelsJob, type DeletedTenancy } from '@foyer/shared/jobs/deleted-tenancy';

import type { Context } from '../context.ts';

/**
 * Has ticketing and media end what a deleted organization or workspace sells and streams: nobody holds a permission there any
 * more, so nobody could manage orders or stop a channel.
 */
export async function endBusiness(
  { jobs }: Pick<Context, 'jobs'>,
  tx: IdentityTransaction,
  deleted: DeletedTenancy,
): Promise<void> {
  await jobs.enqueue(clearStorefrontJob, deleted, { within: tx });
  await jobs.enqueue(removeChannelsJob, deleted, { within: tx });
}
