import { permitInWorkspace, permitOnPlatform } from '@foyer/shared/permissions';

import type { Context } from '../context.ts';

/** The workspace for which someone looks; without one, for the platform. */
export interface OnBehalf {
  workspaceId?: string | null | undefined;
}

type Needs = Pick<Context, 'viewer' | 'permissions'>;

/**
 * Nodes serve every organization, and our servers connect to whatever is registered: that is for
 * those who run the platform (docs/decisions/0020).
 */
export const permitNodeChange = (needs: Needs) => permitOnPlatform(needs, 'org:manage');

/** Whoever works in a workspace may see what its channels can run on. */
export const permitNodeView = (needs: Needs, workspaceId: OnBehalf['workspaceId']) =>
  workspaceId ? permitInWorkspace(needs, workspaceId, 'device:view') : permitNodeChange(needs);
