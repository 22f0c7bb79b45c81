import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { freePort } from '@foyer/prisma/free-port';

import { exitOf } from '../support/servers/spawned.ts';

const root = join(import.meta.dirname, '../..');

interface Clone {
  /** Its folder: this one, when left out. */
  cwd?: string;
  env?: Readonly<Record<string, string>>;
}

/** Runs `npx -y pnpm start` on a data folder, until it says that it is open. */
export async function startByPnpm(
  dataDir: string,
  { cwd = root, env }: Clone = {},
): Promise<ChildProcess & { pid: number }> {
  const child = spawn('npx', ['-y', 'pnpm', 'start'], {
    cwd,
    env: { ...process.env, DATA_DIR: dataDir, PORT: String(await freePort()), LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true, // a process group of its own, which is told to end as by a terminal
  });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  while (!printed.includes('Foyer is open')) {
    if (child.exitCode !== null) throw new Error(`the server did not open:\n${printed}`);
    await sleep(10);
  }
  return Object.assign(child, { pid: child.pid ?? 0 });
}

/** Ctrl-C, and waits. */
export async function stopByCtrlC(child: ChildProcess & { pid: number }): Promise<void> {
  process.kill(-child.pid, 'SIGINT');
  await exitOf(child);
}
