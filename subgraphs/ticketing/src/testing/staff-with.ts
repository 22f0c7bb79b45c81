import type { Staff } from '@foyer/shared/auth/viewer';

import type { Context } from '../context.ts';

/** The context of somebody who holds one permission in the workspace of every ticket group. */
export const staffWith = (permission: string, context: Context): Context => ({
  ...context,
  viewer: { kind: 'staff', userId: 'manager', role: 'ORG_ADMIN' } as Staff,
  permissions: {
    ...context.permissions,
    inWorkspace: async (_viewer, workspaceId) => {
      const { organizationId } = await context.db.ticketGroup.findFirstOrThrow({ where: { workspaceId } });
      return { organizationId, permissions: new Set([permission]) };
    },
  },
});
