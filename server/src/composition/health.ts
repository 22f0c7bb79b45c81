import { missingMigrations } from '@foyer/prisma/migrate';
import type { Checks } from '@foyer/shared/http/health';
import type { SharedRedis } from '@foyer/shared/events/redis';

type Database = Parameters<typeof missingMigrations>[0];

/** Checks that the database answers and has every migration that this code needs, and that Redis answers, if configured. */
export const infrastructureChecks = ({ db, redis }: { db: Database; redis: SharedRedis | undefined }): Checks => ({
  database: () => db.$queryRaw`SELECT 1`,
  async migrations() {
    if ((await missingMigrations(db)).length > 0) throw new Error('migrations are missing');
  },
  ...(redis && { redis: redis.check }),
});
