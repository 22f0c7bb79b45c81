import type { Id } from '@foyer/shared/ids';

import type { Context } from '../context.ts';
import { quotaOf, reservedBy, storedBy } from './usage.ts';

type Needs = Pick<Context, 'viewer' | 'permissions' | 'db' | 'clock' | 'uploadRules'>;

/** Finds how much of its quota an organization uses; null for viewers who are not concerned. */
export async function findUsage(needs: Needs, organizationId: Id) {
  return (await isConcerned(needs, organizationId)) ? readUsage(needs, organizationId) : null;
}

/** Reads how much of its quota an organization uses, without checking permissions. */
export async function readUsage(needs: Needs, organizationId: Id) {
  const { db, clock } = needs;
  const [stored, reserved, quota] = await Promise.all([
    storedBy(db, organizationId),
    reservedBy(db, organizationId, { prepared: true, now: clock.now() }),
    quotaOf(db, organizationId, needs),
  ]);
  return {
    ...stored,
    reservedItems: reserved.items,
    reservedBytes: reserved.bytes,
    quotaItems: quota.items,
    quotaBytes: quota.bytes,
  };
}

async function isConcerned({ viewer, permissions }: Needs, organizationId: Id): Promise<boolean> {
  if (viewer?.kind !== 'staff') return false;
  const workspaces = await permissions.workspacesWith(viewer, organizationId, 'media:view');
  return workspaces.length > 0 || (await permissions.onPlatform(viewer)).has('org:manage');
}
