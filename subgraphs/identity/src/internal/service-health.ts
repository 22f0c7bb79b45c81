import { requireService } from '@foyer/shared/auth/viewer';

import type { Context } from '../context.ts';

/** Asks the database anything, so that a service without one is not called well. */
export async function serviceHealth({ viewer, db, licenseGuard }: Pick<Context, 'viewer' | 'db' | 'licenseGuard'>) {
  requireService(viewer);
  await db.$queryRaw`SELECT 1`;
  return { licensed: licenseGuard.licensed() };
}
