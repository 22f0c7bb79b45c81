import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

import { exitOf } from './spawned.ts';
import { until } from '../until.ts';

const root = join(import.meta.dirname, '../../..');

/** The upload server as a process of its own. */
export interface UploadServer {
  url: string;
  pid: number;
  kill(): Promise<void>;
}

/** Starts it as `pnpm upload-server` does, on a free port. */
export async function startUploadServer(env: Record<string, string>): Promise<UploadServer> {
  const child: ChildProcess = spawn(
    join(root, 'node_modules/.bin/node'),
    ['server/src/distributed/main.ts', 'upload'],
    {
      cwd: root,
      env: { PATH: process.env['PATH'] ?? '', UPLOAD_SERVER_PORT: '0', LOG_LEVEL: 'info', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (said: Buffer) => (printed += said.toString()));

  const started = async () => {
    if (child.exitCode !== null) throw new Error(`the upload server did not start:\n${printed}`);
    return /upload is open: (http:\S+)/.exec(printed)?.[1];
  };
  const url = await until('the upload server', started, { timeoutMs: 300_000 });
  return {
    url,
    pid: child.pid ?? 0,
    async kill() {
      child.kill('SIGKILL');
      await exitOf(child);
    },
  };
}
