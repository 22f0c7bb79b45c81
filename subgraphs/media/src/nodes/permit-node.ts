import type { GivenId } from '@foyer/shared/ids';
import { openingOf } from '@foyer/shared/auth/opening';
import { permitInWorkspace, permitOnPlatform } from '@foyer/shared/auth/permissions';

import type { Context } from '../context.ts';

/** The workspace on whose behalf nodes are viewed; without one, any workspace of the viewer or the platform. */
export interface OnBehalf {
  workspaceId?: GivenId | null | undefined;
}

type Needs = Pick<Context, 'viewer' | 'permissions'>;

/**
 * Permits changes to nodes, for those who run the platform: nodes serve every organization, and our servers connect to
 * whatever is registered (docs/decisions/0011).
 */
export async function permitNodeChange(needs: Needs): Promise<void> {
  if (!isOpen(needs, 'device:manage')) await permitOnPlatform(needs, 'org:manage');
}

/** Permits viewing nodes: whoever works in a workspace may see what its channels can run on. */
export async function permitNodeView(needs: Needs, workspaceId: OnBehalf['workspaceId']): Promise<void> {
  if (isOpen(needs, 'device:view')) return;
  if (workspaceId) await permitInWorkspace(needs, workspaceId, 'device:view');
  else if (!(await viewsAnyWorkspace(needs))) await permitOnPlatform(needs, 'org:manage');
}

async function viewsAnyWorkspace({ viewer, permissions }: Needs): Promise<boolean> {
  if (viewer?.kind !== 'staff') return false;
  return (await permissions.workspacesWith(viewer, viewer.organizationId, 'device:view')).length > 0;
}

/** Whether the request came through an open route, which grants this permission: the documents leave the routes of nodes open. */
const isOpen = ({ viewer }: Needs, permission: string) => openingOf(viewer)?.permissions.includes(permission) === true;
