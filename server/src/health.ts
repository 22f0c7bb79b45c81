import { missingMigrations } from '@foyer/prisma/migrate';
import { CHECK_TIMEOUT_MS, type Checks } from '@foyer/shared/http/health';
import type { SharedRedis } from '@foyer/shared/events/redis';

type Database = Parameters<typeof missingMigrations>[0];

/** Whether the database answers and has every migration that this code relies on; whether Redis answers, if any. */
export const groundChecks = ({ db, redis }: { db: Database; redis: SharedRedis | undefined }): Checks => ({
  database: () => db.$queryRaw`SELECT 1`,
  async migrations() {
    if ((await missingMigrations(db)).length > 0) throw new Error('migrations are missing');
  },
  ...(redis && { redis: redis.check }),
});

/** Whether another process of the house can do its work. */
export const processCheck = (url: string) => async () => {
  const { ok, body } = await fetch(`${url}/health/ready`, {
    redirect: 'error',
    signal: AbortSignal.timeout(CHECK_TIMEOUT_MS),
  });
  await body?.cancel(); // unread, it would hold its connection
  return ok;
};
