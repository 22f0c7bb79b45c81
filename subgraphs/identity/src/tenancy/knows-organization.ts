import type { Id } from '@foyer/shared/ids';

import type { Context } from '../context.ts';

type Needs = Pick<Context, 'viewer' | 'permissions'>;

/**
 * Whether the viewer may know more of an organization and its people than their names: they belong to it, or to the
 * platform.
 */
export async function knowsOrganization({ viewer, permissions }: Needs, organizationId: Id): Promise<boolean> {
  if (viewer?.kind === 'service') return true;
  if (viewer?.kind !== 'staff') return false;
  return viewer.organizationId === organizationId || (await permissions.onPlatform(viewer)).size > 0;
}
