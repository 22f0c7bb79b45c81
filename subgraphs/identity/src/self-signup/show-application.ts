import type { Id } from '@foyer/shared/ids';

import type { Context } from '../context.ts';
import { applicationOf, type Application } from './application.ts';

type Needs = Pick<Context, 'viewer' | 'permissions' | 'loaders'>;

/** Returns the application for an organization in a list or an answer; null for viewers who do not decide on it. */
export async function showApplication({ viewer, permissions, loaders }: Needs, id: Id): Promise<Application | null> {
  if (!viewer || !(await permissions.onPlatform(viewer)).has('org:manage')) return null;
  const organization = await loaders.authOrganizations.load(id);
  return organization && applicationOf(organization);
}
