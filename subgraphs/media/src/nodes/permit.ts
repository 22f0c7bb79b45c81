import type { GivenId } from '@foyer/shared/ids';
import { permitInWorkspace, permitOnPlatform } from '@foyer/shared/permissions';
import { forbidden } from '@foyer/shared/viewer';

import type { Context } from '../context.ts';

/** The workspace for which someone looks; without one, for the platform. */
export interface OnBehalf {
  workspaceId?: GivenId | null | undefined;
}

type Needs = Pick<Context, 'viewer' | 'permissions'>;

/**
 * Nodes serve every organization, and our servers connect to whatever is registered: that is for
 * those who run the platform (docs/decisions/0011).
 */
export async function permitNodeChange(needs: Needs): Promise<void> {
  if (!openedTo(needs, 'device:manage')) await permitOnPlatform(needs, 'org:manage');
}

/** Whoever works in a workspace may see what its channels can run on. */
export async function permitNodeView(needs: Needs, workspaceId: OnBehalf['workspaceId']): Promise<void> {
  if (openedTo(needs, 'device:view')) return;
  if (workspaceId) await permitInWorkspace(needs, workspaceId, 'device:view');
  else await permitOnPlatform(needs, 'org:manage');
}

/** The documents leave the routes of nodes open; such a client holds what its route names. */
function openedTo({ viewer }: Needs, permission: string): boolean {
  if (viewer?.kind !== 'legacy-client') return false;
  if (!viewer.permissions.includes(permission)) throw forbidden();
  return true;
}
