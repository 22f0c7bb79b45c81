import { forbidden, unauthenticated } from '@foyer/shared/viewer';

import type { Context } from '../context.ts';
import { isUuid, mayTouch, type Owned } from '../staff-scope.ts';
import { drawUpAdvertisingTicket } from './advertising-ticket.ts';
import { workspaceNeeded } from './refusals.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'permissions'>;

const PERMISSION = 'advertising:manage';

/**
 * Makes an advertising ticket.
 *
 * @throws {Refusal} `FORBIDDEN`, `WORKSPACE_NEEDED`, `VALIDATION_FAILED`
 */
export async function createAdvertisingTicket(
  needs: Needs,
  { input, workspaceId }: { input: unknown; workspaceId?: string | null | undefined },
) {
  const owner = await ownerOf(needs, workspaceId ?? null);
  return needs.db.advertisingTicket.create({ data: { ...drawUpAdvertisingTicket(input), ...owner } });
}

/** Whose it is to be: of the workspace that was named, or of the only one where the viewer may do this. */
async function ownerOf(needs: Needs, named: string | null): Promise<Owned> {
  const { viewer, permissions } = needs;
  if (!viewer) throw unauthenticated();
  if (viewer.kind === 'customer' || viewer.kind === 'service') throw forbidden();
  if (viewer.kind === 'legacy-user') return { organizationId: null, workspaceId: null };
  if (viewer.kind === 'legacy-client') {
    const claimed = { organizationId: viewer.organizationId ?? null, workspaceId: viewer.workspaceId ?? null };
    if (!(await mayTouch(needs, PERMISSION, claimed))) throw forbidden();
    return claimed;
  }
  if (named) {
    const rights = isUuid(named) ? await permissions.inWorkspace(viewer, named) : null;
    if (!rights?.permissions.has(PERMISSION)) throw forbidden();
    return { organizationId: rights.organizationId, workspaceId: named };
  }
  const [only, ...others] = await permissions.workspacesWith(viewer, viewer.organizationId, PERMISSION);
  if (!only) throw forbidden();
  if (others.length > 0) throw workspaceNeeded();
  return { organizationId: viewer.organizationId, workspaceId: only };
}
