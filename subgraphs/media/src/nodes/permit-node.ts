import type { GivenId } from '@foyer/shared/ids';
import { openingOf } from '@foyer/shared/auth/opening';
import { permitInWorkspace, permitOnPlatform } from '@foyer/shared/auth/permissions';

import type { Context } from '../context.ts';

/** The workspace for which someone looks; without one, for any of theirs or the platform. */
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
  else if (!(await looksSomewhere(needs))) await permitOnPlatform(needs, 'org:manage');
}

async function looksSomewhere({ viewer, permissions }: Needs): Promise<boolean> {
  if (viewer?.kind !== 'staff') return false;
  return (await permissions.workspacesWith(viewer, viewer.organizationId, 'device:view')).length > 0;
}

/** The documents leave the routes of nodes open: whoever comes through one holds what it names. */
const openedTo = ({ viewer }: Needs, permission: string) =>
  openingOf(viewer)?.permissions.includes(permission) === true;
