import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { freePort } from '@foyer/prisma/free-port';

/** A running server. */
export interface Server {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

const START_MS = 30_000;

/** Starts a program by its file, on a free port that it gets as `PORT`, and waits until it listens. */
export async function start(
  file: string,
  { args = [], env, path }: { args?: string[]; env: Record<string, string>; path: string },
): Promise<Server> {
  const port = env['PORT'] ?? String(await freePort());
  const child = spawn(process.execPath, [file, ...args], {
    env: { PATH: process.env['PATH'] ?? '', APOLLO_TELEMETRY_DISABLED: 'true', ...env, PORT: port },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (data: Buffer) => (said = `${said}${data.toString()}`.slice(-4_000)));
  const exited = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  const url = `http://127.0.0.1:${port}`;
  const end = Date.now() + START_MS;
  for (;;) {
    if (child.exitCode !== null || Date.now() > end) {
      if (child.exitCode === null) await stop();
      throw new Error(`it did not start: ${reason(said)}`);
    }
    const answers = await fetch(`${url}/fetches`).then(
      () => true,
      () => false,
    );
    if (answers) break;
    await new Promise((resolve) => void setTimeout(resolve, 100));
  }
  return { url: `${url}${path}`, pid: child.pid ?? 0, stop };
}

const reason = (said: string) => said.split('\n').find((line) => /error/i.test(line)) ?? said.slice(0, 200);
