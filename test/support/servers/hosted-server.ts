import { rm } from 'node:fs/promises';

import { freePort } from '@foyer/prisma/free-port';

import { dataDirFor, distributed, ofTheseTests, startServerProcess, type Server } from './server-process.ts';
import { serverHost } from './shared-server.ts';

/** A server of one test file, with variables of its own, in the process that runs such servers for all files. */
export interface HostedServer extends Server {
  dataDir: string;
  /** Stops it as SIGTERM does, and waits. */
  stop(): Promise<void>;
  /** Starts again on the same data and address, with other variables if some are given. */
  restart(env?: Record<string, string>): Promise<HostedServer>;
}

/**
 * Starts a server with variables of its own. It loads no code, which costs most of {@link startServerProcess}; that is for tests about the process itself:
 * how it is killed, what it prints, what its metrics count, how several agree.
 *
 * With `FOYER_LAYOUT=distributed` each is a server of many processes.
 */
export async function startServer(env: Record<string, string> = {}): Promise<HostedServer> {
  if (distributed) {
    const foyer = await startServerProcess(env);
    return {
      ...foyer,
      stop: async () => void (await foyer.stop()),
      restart: (other) => startServer({ ...env, ...other, DATA_DIR: foyer.dataDir, PORT: new URL(foyer.url).port }),
    };
  }
  const dataDir = env['DATA_DIR'] ?? (await dataDirFor(env, 'single'));
  const port = env['PORT'] ?? String(await freePort());
  const host = await serverHost();
  const variables = { LOG_LEVEL: 'silent', ...ofTheseTests, ...env, DATA_DIR: dataDir, PORT: port };
  await told(await fetch(host, { method: 'POST', body: JSON.stringify(variables) }));
  return {
    url: `http://localhost:${port}`,
    dataDir,
    stop: async () => told(await fetch(new URL(port, host), { method: 'DELETE' })),
    restart: (other) => startServer({ ...env, ...other, DATA_DIR: dataDir, PORT: port }),
  };
}

async function told(answer: Response): Promise<void> {
  if (!answer.ok) throw new Error(await answer.text());
}

/** Stops a server and removes its data. */
export async function closeServer(server: HostedServer | undefined): Promise<void> {
  if (!server) return;
  await server.stop();
  await rm(server.dataDir, { recursive: true, force: true });
}
