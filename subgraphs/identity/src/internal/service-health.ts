import { requireService } from '@foyer/shared/auth/viewer';

import type { Context } from '../context.ts';

/** Runs a trivial query, so that a service without its database does not report itself as healthy. */
export async function serviceHealth({ viewer, db, licenseGuard }: Pick<Context, 'viewer' | 'db' | 'licenseGuard'>) {
  requireService(viewer);
  await db.$queryRaw`SELECT 1`;
  return { licensed: licenseGuard.licensed() };
}
