/**
 * The time from a fresh clone until the server is ready, as README.md says: `npx -y pnpm start`.
 *
 *     pnpm bench:fresh-clone [--warm]
 *
 * Clones what is committed here into a temporary folder, and starts it with a package store that is empty: all packages are
 * downloaded. npm's own cache, from which npx takes pnpm, is left as it is. `--warm` takes the store of this machine. Ends with 1
 * when the target is missed.
 */
import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { startByPnpm, stopByCtrlC } from './pnpm-start.ts';
import { print } from './print.ts';

const WANTED_SECONDS = 30;

const { values } = parseArgs({ options: { warm: { type: 'boolean', default: false } } });

const folder = await mkdtemp(join(tmpdir(), 'foyer-bench-'));
await chmod(folder, 0o755); // started by root, PostgreSQL runs as another account
const clone = join(folder, 'clone');
const env: Record<string, string> = values.warm ? {} : { pnpm_config_store_dir: join(folder, 'store') };
try {
  execFileSync('git', ['clone', '--quiet', join(import.meta.dirname, '../..'), clone]);
  const begun = performance.now();
  const started = await startByPnpm(join(folder, 'data'), { cwd: clone, env });
  const seconds = (performance.now() - begun) / 1_000;
  await stopByCtrlC(started);
  const store = values.warm ? 'the package store of this machine' : 'an empty package store';
  print(
    `ready after ${seconds.toFixed(1)} s with ${store}, wanted at most ${WANTED_SECONDS} s (load ${loadavg()[0]?.toFixed(1)})`,
  );
  if (seconds > WANTED_SECONDS) process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
