import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { appendFile, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { removeOld } from '@foyer/prisma/testing/remove-old';
import { hasSeeds } from '@foyer/prisma/testing/test-database';

const root = join(import.meta.dirname, '../../..');
const cache = join(root, 'node_modules/.cache/foyer-golden');
/** The sources that decide what a first start writes; everything else is also written by later starts. */
const sources = [
  'prisma/migrations/**',
  'subgraphs/*/src/{simulators,seed,start-up}/**',
  'subgraphs/shared/src/auth/permission-catalog.json',
  'server/src/{data-dir,embedded}/**',
  'pnpm-lock.yaml',
  'test/support/servers/golden-data-dir.ts',
];
/** Longer than a day: a run that began before midnight uses yesterday's until it ends. */
const KEPT_MS = 2 * 86_400_000;
/**
 * The day on which the run began (UTC). The set-up of the run decides, and the processes that it starts inherit it: a run
 * has one golden data folder also after midnight, because its databases and data folders belong together.
 */
const day = (process.env['TEST_RUN_DAY'] ??= new Date().toISOString().slice(0, 10));

/** Variables that change what a first start writes. */
const shapesFirstStart =
  /^(AUTH_JWT_P|DEMO_|EMAIL_|HOSTING_|IDP_ADMIN_|IDP_PLATFORM_|NODE_ENV|PLATFORM_|TICKET_SIGNING_)/;

/**
 * Whether a server with these variables begins with a copy of the golden data folder. A store of its own (`MEDIA_DIR`,
 * `S3_ENDPOINT`) then lacks the pictures of the demo, which the database names.
 *
 * @throws where its database is a copy, and another variable needs a start on an empty one
 */
export function beginsGolden({ DATABASE_URL: databaseUrl, ...env }: Record<string, string>): boolean {
  const shaping = Object.keys(env).filter((name) => shapesFirstStart.test(name));
  // The ids of the people in a database are those of one provider.
  if (databaseUrl === undefined) return shaping.length === 0 && env['IDP_URL'] === undefined;
  // One beside another server has its secrets.
  if (env['AUTH_JWT_PRIVATE_KEY'] !== undefined || !hasSeeds(databaseUrl)) return false;
  if (shaping.length > 0) throw new Error(`a database with seeds does not go with ${shaping.join(', ')}`);
  return true;
}

/**
 * Returns the golden data folder: all state of a server that was started once on an empty folder, without variables, and
 * stopped. It is made when it is first needed, and again when its sources or the day change.
 *
 * Leaves out: durability. PostgreSQL does not wait for the disk, so a crash of the machine may lose data; one of a
 * process does not.
 *
 * @param startOnce starts a server on an empty folder, and stops it
 */
export async function goldenDataDir(startOnce: (dataDir: string) => Promise<void>): Promise<string> {
  const golden = join(cache, fingerprint());
  if (!existsSync(golden)) await make(golden, startOnce);
  return golden;
}

/** Copies the golden data folder; without its PostgreSQL for a server that has a database elsewhere. */
export async function copyGolden(golden: string, target: string, { database }: { database: boolean }): Promise<void> {
  const parts = (await readdir(golden)).filter((name) => database || name !== 'postgres');
  await promisify(execFile)('cp', ['-a', ...parts.map((name) => join(golden, name)), target]);
}

/** Two processes that make it at once each make their own, and the first one is kept. */
async function make(golden: string, startOnce: (dataDir: string) => Promise<void>): Promise<void> {
  await mkdir(cache, { recursive: true });
  await removeOld(cache, { olderThanMs: KEPT_MS });
  const folder = await mkdtemp(join(cache, 'making-'));
  await startOnce(folder);
  await appendFile(join(folder, 'postgres/data/postgresql.auto.conf'), 'fsync = off\nfull_page_writes = off\n');
  await rename(folder, golden).catch(() => rm(folder, { recursive: true }));
}

/** A key of the folder's content: its sources, and the day, because the demonstration sells tickets for the next days. */
function fingerprint(): string {
  const hash = createHash('sha256').update(day);
  const files = globSync(sources, { cwd: root, exclude: ['**/node_modules', '**/*.test.ts'] });
  for (const file of files.toSorted()) {
    if (statSync(join(root, file)).isFile()) hash.update(file).update(readFileSync(join(root, file)));
  }
  return hash.digest('hex').slice(0, 16);
}
