import { openDatabase } from '@foyer/prisma/client';
import { isUnmigrated, missingMigrations } from '@foyer/prisma/migrate';
import { problemOfDatabase } from '@foyer/shared/database-reachable';

import { failed, ok, reasonOf, TIMEOUT_MS, warning, type Finding } from './finding.ts';

const OLDEST_VERSION = 150_000;
const FULL_SHARE = 0.8;
const MOST_SKEW_MS = 2_000;

const cure = 'start it, or mend DATABASE_URL (host, port, user, password, name)';

interface Facts {
  version: string;
  number: number;
  connections: number;
  most: number;
  now: Date;
  trigrams: boolean;
  readOnly: boolean;
}

/** Checks version, extension, migrations, connections and clock of the database. */
export async function checkDatabase(databaseUrl: string): Promise<Finding[]> {
  const problem = await problemOfDatabase(databaseUrl, TIMEOUT_MS);
  if (problem) return [failed('PostgreSQL', problem, cure)];
  const db = openDatabase(databaseUrl, { connections: 1 });
  try {
    const sentAt = Date.now();
    const [facts] = await db.$queryRaw<Facts[]>`
      SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number,
        (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend') AS connections,
        current_setting('max_connections')::int AS most, clock_timestamp() AS now,
        EXISTS (SELECT 1 FROM pg_available_extensions WHERE name = 'pg_trgm') AS trigrams,
        current_setting('transaction_read_only')::bool AS "readOnly"`;
    if (!facts) throw new Error('it does not report its version');
    const skewMs = facts.now.getTime() - (sentAt + Date.now()) / 2;
    return [...judge(facts), clock('clock of PostgreSQL', skewMs), await migrations(db)];
  } catch (error) {
    return [failed('PostgreSQL', reasonOf(error), cure)];
  } finally {
    await db.$disconnect();
  }
}

function judge({ version, number, connections, most, trigrams, readOnly }: Facts): Finding[] {
  const used = `${connections} of ${most} connections in use`;
  return [
    number >= OLDEST_VERSION
      ? ok('PostgreSQL', `version ${version}`)
      : failed('PostgreSQL', `version ${version}`, 'move to PostgreSQL 15 or later'),
    ...(readOnly
      ? [failed('writing', 'the database is read-only', 'name its primary server in DATABASE_URL, not a replica')]
      : []),
    trigrams
      ? ok('pg_trgm', 'can be installed')
      : failed('pg_trgm', 'the extension is missing', 'install the contrib modules of PostgreSQL'),
    connections < most * FULL_SHARE
      ? ok('connections', used)
      : warning('connections', used, 'raise max_connections, or run fewer processes: each takes about 15'),
  ];
}

async function migrations(db: Parameters<typeof missingMigrations>[0]): Promise<Finding> {
  try {
    const missing = await missingMigrations(db);
    return missing.length === 0
      ? ok('migrations', 'all are applied')
      : failed('migrations', `missing: ${missing.join(', ')}`, 'pnpm foyer migrate');
  } catch (error) {
    return isUnmigrated(error)
      ? failed('migrations', 'missing: all of them', 'pnpm foyer migrate')
      : failed('migrations', reasonOf(error), 'give the user of DATABASE_URL its rights: docker-compose.yml has them');
  }
}

/** Checks a clock against ours: tokens, links and messages to the gateway are valid for minutes only. */
export function clock(part: string, skewMs: number, tolerance = MOST_SKEW_MS): Finding {
  const seconds = (Math.abs(skewMs) / 1_000).toFixed(1);
  return Math.abs(skewMs) <= tolerance
    ? ok(part, `agrees with ours within ${tolerance / 1_000} s`)
    : failed(part, `it is ${seconds} s ${skewMs > 0 ? 'ahead of' : 'behind'} ours`, 'let NTP keep both clocks');
}
