import { requireStaff } from '@foyer/shared/auth/viewer';

import type { Context } from '../context.ts';

/** All apps. */
export function listApps({ viewer, db }: Pick<Context, 'viewer' | 'db'>) {
  requireStaff(viewer);
  return db.app.findMany({ orderBy: { id: 'asc' } });
}
