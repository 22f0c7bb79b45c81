import { isUuid, unproven, type GivenId } from '@foyer/shared/ids';
import { forbidden, requireStaff } from '@foyer/shared/auth/viewer';

import type { Context } from '../context.ts';
import { withImage } from '../images/with-image.ts';
import { passesAsSysadmin } from '../access/role-scope.ts';
import { type Owned } from '../access/staff-scope.ts';
import { drawUpAdvertisingTicket } from './advertising-ticket.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'permissions' | 'mediaDirectory'>;

const PERMISSION = 'advertising:manage';

/**
 * Creates an advertising ticket.
 *
 * @throws {Refusal} `UNAUTHENTICATED`, `FORBIDDEN`, `VALIDATION_FAILED`, `MEDIA_NOT_FOUND`
 */
export async function createAdvertisingTicket(
  needs: Needs,
  { input, workspaceId }: { input: unknown; workspaceId?: GivenId | null | undefined },
) {
  const owner = await ownerOf(needs, workspaceId ?? null);
  const drawn = await withImage(needs, drawUpAdvertisingTicket(input));
  return needs.db.advertisingTicket.create({ data: { ...drawn, ...owner } });
}

/** Decides the owner: the workspace that was named, else the viewer's only workspace, else the whole organization. */
async function ownerOf(needs: Needs, given: GivenId | null): Promise<Owned> {
  const { permissions } = needs;
  if (needs.viewer?.kind === 'legacy-user') return { organizationId: null, workspaceId: null };
  const staff = requireStaff(needs.viewer);
  const { organizationId } = staff;
  const named = unproven(given);
  if (named) {
    const rights = isUuid(named) ? await permissions.inWorkspace(staff, named) : null;
    if (!rights) throw forbidden();
    if (!rights.permissions.has(PERMISSION) && !(await passesAsSysadmin(needs))) throw forbidden();
    return { organizationId: rights.organizationId, workspaceId: named };
  }
  const [only = null, ...others] = await permissions.workspacesWith(staff, organizationId, PERMISSION);
  return { organizationId, workspaceId: others.length > 0 ? null : only };
}
