import { migrationNames, missingMigrations } from '@foyer/prisma/migrate';
import type { Checks } from '@foyer/shared/http/health';
import type { SharedRedis } from '@foyer/shared/events/redis';

type Database = Parameters<typeof missingMigrations>[0];

/**
 * Checks that the database answers and has every migration that this process started with, and that Redis answers, if
 * configured. Files of a newer version that are put beside a running process are not its own.
 *
 * @param migrations the folder of the migrations, by default ours
 */
export function infrastructureChecks(
  { db, redis }: { db: Database; redis: SharedRedis | undefined },
  migrations?: string,
): Checks {
  const needed = migrationNames(migrations);
  return {
    database: () => db.$queryRaw`SELECT 1`,
    async migrations() {
      if ((await missingMigrations(db, await needed)).length > 0) throw new Error('migrations are missing');
    },
    ...(redis && { redis: redis.check }),
  };
}
