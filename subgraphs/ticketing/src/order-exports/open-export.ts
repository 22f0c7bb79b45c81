import { createHash } from 'node:crypto';

import type { Context } from '../context.ts';
import { roleScopeOf, type RoleScope } from '../access/role-scope.ts';
import type { OrderFilter } from '../generated/graphql.ts';
import { exportExpired } from '../links/refusals.ts';

type Needs = Pick<Context, 'permissions' | 'rights' | 'exportLinks'>;

const PERMISSION = 'orders:view';

/** Which orders an export may hold: those that the viewer may see. */
export const exportScopeOf = (needs: Parameters<typeof roleScopeOf>[0]): Promise<RoleScope> =>
  roleScopeOf(needs, PERMISSION);

/** Digests a scope for a link, because a URL has no room for many workspace ids. */
export function digestOf({ organizationId, workspaceId }: RoleScope): string {
  const said = JSON.stringify([organizationId ?? null, workspaceId?.in.toSorted() ?? null]);
  return createHash('sha256').update(said).digest('base64url');
}

/**
 * Opens the link of an export while the session that made it lasts, and its viewer may see the same orders as then.
 *
 * @param onLoss called once when one of these ends during the download
 * @returns which orders to export; `stop` ends the watch
 * @throws {Refusal} `EXPORT_NOT_FOUND`
 */
export async function openExport({ permissions, rights, exportLinks }: Needs, seal: string, onLoss: () => void) {
  const { viewer, filter, scopeDigest } = await exportLinks.open(seal);
  // Watch first, then check, so that no change is missed in between.
  const stop = await rights.watch(viewer, onLoss);
  try {
    if (!(await rights.stands(viewer))) throw exportExpired();
    const scope = await exportScopeOf({ viewer, permissions });
    if (digestOf(scope) !== scopeDigest) throw exportExpired();
    return { filter: filter as OrderFilter, scope, stop }; // what exportOrders has sealed
  } catch (error) {
    stop();
    throw error;
  }
}
