import type { IdentityDatabase } from '@foyer/prisma/identity';

import { unknownApps } from './refusals.ts';

/** @throws {Refusal} `UNKNOWN_APPS` */
export async function assertApps(db: Pick<IdentityDatabase, 'app'>, appIds: readonly string[]): Promise<void> {
  const known = new Set((await db.app.findMany({ where: { id: { in: [...appIds] } } })).map(({ id }) => id));
  const unknown = appIds.filter((id) => !known.has(id));
  if (unknown.length > 0) throw unknownApps(unknown);
}
