import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { lacks, why } from '@foyer/shared/testing/missing';
import { freePort } from '@foyer/prisma/free-port';

import { exitOf } from './spawned.ts';

/** Whether tests with Redis are skipped, and why; on a build server they run, and fail. */
export const noRedis = lacks('redis-server');
export const whyNoRedis = why('redis-server');

/** A real Redis on a free port, which keeps nothing. */
export interface RedisServer {
  /** With its password. */
  url: string;
  /** `kill -9`: all its data is lost. */
  kill(): Promise<void>;
  /** Starts again on the same port. */
  start(): Promise<void>;
  /** SIGSTOP: its connections stay open, and nothing is answered. */
  freeze(): void;
  thaw(): void;
  /** Ends it, and removes what it wrote. */
  stop(): Promise<void>;
}

export const PASSWORD = 'a-password-of-redis';

/** @param more arguments of redis-server */
export async function startRedisServer(...more: string[]): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), 'foyer-redis-'));
  const port = String(await freePort());
  const server = { port, bind: '127.0.0.1', dir: folder, save: '', appendonly: 'no', requirepass: PASSWORD };
  const flags = [...Object.entries(server).flatMap(([name, value]) => [`--${name}`, value]), ...more];
  let running = await run(flags);

  async function kill() {
    running.kill('SIGKILL');
    await exitOf(running);
  }
  return {
    url: `redis://:${PASSWORD}@127.0.0.1:${port}`,
    kill,
    start: async () => void (running = await run(flags)),
    freeze: () => void running.kill('SIGSTOP'),
    thaw: () => void running.kill('SIGCONT'),
    async stop() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function run(flags: string[]): Promise<ChildProcess> {
  const child = spawn('redis-server', flags, { stdio: ['ignore', 'pipe', 'ignore'] });
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
  await once(child, 'spawn');
  let printed = '';
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    printed += String(chunk);
    if (printed.includes('Ready to accept connections')) {
      child.stdout.resume();
      return child;
    }
  }
  throw new Error(`redis-server did not start:\n${printed}`);
}
