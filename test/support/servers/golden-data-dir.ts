import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { appendFile, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

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
const DAY_MS = 86_400_000;

/** Variables that change what a first start writes. */
const shapesFirstStart =
  /^(AUTH_JWT_P|DATABASE_|DEMO_|EMAIL_|HOSTING_|IDP_|LICENSE_|MAIL_|MEDIA_DIR|NODE_ENV|PAYMENT_GATEWAY_|PLATFORM_|S3_|SMTP_|TICKET_SIGNING_)/;

/** Whether a server with these variables may begin with a copy of the golden data folder. */
export const beginsGolden = (env: Record<string, string>): boolean =>
  !Object.keys(env).some((name) => shapesFirstStart.test(name));

/**
 * Copies the golden data folder: all state of a server that was started once on an empty folder, without variables, and
 * stopped. It is made when it is first needed, and again when its sources or the day change.
 *
 * Leaves out: durability. PostgreSQL does not wait for the disk, so a crash of the machine may lose data; one of a
 * process does not.
 *
 * @param startOnce starts a server on an empty folder, and stops it
 */
export async function copyGolden(target: string, startOnce: (dataDir: string) => Promise<void>): Promise<void> {
  const golden = join(cache, fingerprint());
  if (!existsSync(golden)) await make(golden, startOnce);
  await promisify(execFile)('cp', ['-a', `${golden}/.`, target]);
}

/** Two processes that make it at once each make their own, and the first one is kept. */
async function make(golden: string, startOnce: (dataDir: string) => Promise<void>): Promise<void> {
  await mkdir(cache, { recursive: true });
  await removeOld();
  const folder = await mkdtemp(join(cache, 'making-'));
  await startOnce(folder);
  await appendFile(join(folder, 'postgres/data/postgresql.auto.conf'), 'fsync = off\nfull_page_writes = off\n');
  await rename(folder, golden).catch(() => rm(folder, { recursive: true }));
}

async function removeOld(): Promise<void> {
  for (const name of await readdir(cache)) {
    const path = join(cache, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > DAY_MS) await rm(path, { recursive: true, force: true });
  }
}

/** A key of the folder's content: its sources, and the day, because the demonstration sells tickets for the next days. */
function fingerprint(): string {
  const hash = createHash('sha256').update(new Date().toISOString().slice(0, 10));
  const files = globSync(sources, { cwd: root, exclude: ['**/node_modules', '**/*.test.ts'] });
  for (const file of files.toSorted()) {
    if (statSync(join(root, file)).isFile()) hash.update(file).update(readFileSync(join(root, file)));
  }
  return hash.digest('hex').slice(0, 16);
}
