import { createHash } from 'node:crypto';

import type { Context } from '../context.ts';
import { reachOf, type Reach } from '../access/role-scope.ts';
import { exportExpired } from '../links/refusals.ts';

type Needs = Pick<Context, 'permissions' | 'rights' | 'exportLinks'>;

const PERMISSION = 'orders:view';

/** What of the orders an export shows: what whoever asks may see. */
export const reachOfExport = (needs: Parameters<typeof reachOf>[0]): Promise<Reach> => reachOf(needs, PERMISSION);

/** A reach in short, for a link: it may name more workspaces than an address has room for. */
export function digestOf({ organizationId, workspaceId }: Reach): string {
  const said = JSON.stringify([organizationId ?? null, workspaceId?.in.toSorted() ?? null]);
  return createHash('sha256').update(said).digest('base64url');
}

/**
 * Opens the link of an export for as long as the session that made it has not ended, and who made it sees what they
 * saw then.
 *
 * @param onLoss called once, when that ends while the export is fetched
 * @returns who asks for what; `stop` ends the watch
 * @throws {Refusal} `EXPORT_NOT_FOUND`
 */
export async function openExport({ permissions, rights, exportLinks }: Needs, seal: string, onLoss: () => void) {
  const { viewer, filter, reach: sealed } = await exportLinks.open(seal);
  // Watched first, then looked at: nothing is lost in between.
  const stop = await rights.watch(viewer, onLoss);
  try {
    if (!(await rights.stands(viewer))) throw exportExpired();
    const reach = await reachOfExport({ viewer, permissions });
    if (digestOf(reach) !== sealed) throw exportExpired();
    return { filter, reach, stop };
  } catch (error) {
    stop();
    throw error;
  }
}
