import type { IdentityDatabase } from '@foyer/prisma/identity';
import { systemClock } from '@foyer/shared/clock';
import { readId } from '@foyer/shared/ids';
import type { Viewer } from '@foyer/shared/auth/viewer';

import { createLoaders } from '../loaders.ts';

const EVERYTHING = new Set(['org:security:view', 'platform:apps:platformconsole:access']);

/** The context of somebody who may read everything of their organization. */
export const readerOf = (
  db: IdentityDatabase,
  { organizationId, userId = 'u' }: { organizationId: string; userId?: string },
) => ({
  db,
  clock: systemClock,
  loaders: createLoaders(db),
  viewer: { kind: 'staff', organizationId: readId(organizationId), userId: readId(userId) } as Viewer,
  permissions: {
    onPlatform: async () => EVERYTHING,
    inOrganization: async () => EVERYTHING,
    inWorkspace: async () => null,
    workspacesWith: async () => [],
  },
});
