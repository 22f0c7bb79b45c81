import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv, promisify } from 'node:util';

import { startPaymentGateway } from '@foyer/ticketing/simulators/payment-gateway';

import { until } from '../support/until.ts';
import { client, docker, root } from './engine.ts';

const run = promisify(execFile);

const PORT = 4180;
const BANK_PORT = 4181;

/** What the operator of these tests sets, besides what docs/operations.md says. */
const settings = {
  COMPOSE_PROJECT_NAME: 'foyer-containers',
  COMPOSE_FILE: 'docker-compose.yml:test/containers/compose.yaml',
  PORT: String(PORT),
  PAYMENT_GATEWAY_URL: `https://bank.test:${BANK_PORT}`,
  PAYMENT_GATEWAY_PUBLIC_URL: `http://localhost:${BANK_PORT}`,
  // The networks that an engine gives to projects, and this machine.
  PAYMENT_GATEWAY_NETWORKS: '127.0.0.1/32,172.16.0.0/12,192.168.0.0/16',
  S3_ACCESS_KEY: 'foyer:store',
};

/** An installation of docker-compose.yml in a folder of its own, and its bank. */
export interface Installation {
  url: string;
  /** Runs shell commands in its folder, as an operator does; returns what they print. */
  shell(commands: string): Promise<string>;
  /** A value of its `.env`. */
  secret(name: string): Promise<string>;
  /** The ids of the containers of a service. */
  containers(service: string): Promise<string[]>;
  /** Stops it, and removes all that it has. */
  remove(): Promise<void>;
}

/** A copy of the project, ready to be started. */
export async function prepare(): Promise<Installation> {
  const base = await mkdtemp(join(tmpdir(), 'foyer-containers-'));
  const folder = join(base, 'foyer');
  const { stdout: tracked } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    maxBuffer: 16 * 1024 * 1024,
  });
  for (const file of tracked.split('\0').filter(Boolean))
    await cp(join(root, file), join(folder, file), { preserveTimestamps: true }).catch(() => undefined); // removed, not yet committed
  // `docker` of the commands is the engine's client.
  await mkdir(join(base, 'bin'));
  await symlink(client, join(base, 'bin/docker'));
  const env = { ...process.env, ...settings, PATH: `${join(base, 'bin')}:${process.env['PATH'] ?? ''}` };

  let bank: { stop(): Promise<void> } | undefined;
  const secret = async (name: string) => parseEnv(await readFile(join(folder, '.env'), 'utf8'))[name] ?? '';
  async function shell(commands: string) {
    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', commands], {
      cwd: folder,
      env,
      maxBuffer: 64 * 1024 * 1024,
    });
    // The bank shares a secret of the first `.env`.
    bank ??= await openBank(join(base, 'bank'), await secret('PAYMENT_GATEWAY_SECRET').catch(() => ''));
    return stdout.trim();
  }
  return {
    url: `http://localhost:${PORT}`,
    shell,
    secret,
    containers: async (service) => (await shell(`docker compose ps --quiet ${service}`)).split('\n').filter(Boolean),
    async remove() {
      await shell('docker compose down --volumes --timeout 5');
      await bank?.stop();
      await rm(base, { recursive: true, force: true });
    },
  };
}

async function openBank(folder: string, secret: string) {
  if (!secret) return undefined;
  return startPaymentGateway({
    folder,
    secret,
    publicUrl: settings.PAYMENT_GATEWAY_PUBLIC_URL,
    host: '0.0.0.0',
    port: BANK_PORT,
  });
}

/** The commands in a chapter of docs/operations.md, one text for each block. */
export async function commandsOf(chapter: string): Promise<string[]> {
  const text = await readFile(join(root, 'docs/operations.md'), 'utf8');
  const [, said = ''] = text.split(`#### ${chapter}\n`);
  const [own = ''] = said.split(/^#{1,4} /m);
  return [...own.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, commands = '']) => commands);
}

/** Waits until every container of these services answers its health check. */
export async function untilHealthy({ shell }: Installation, ...services: string[]): Promise<void> {
  await until(
    `healthy: ${services.join(', ')}`,
    async () => {
      const listed = await shell(`docker compose ps --format '{{.Service}} {{.Health}}' ${services.join(' ')}`);
      const states = listed.split('\n').map((line) => line.split(' '));
      return services.every((service) => {
        const own = states.filter(([name]) => name === service);
        return own.length > 0 && own.every(([, health]) => health === 'healthy');
      });
    },
    { timeoutMs: 300_000, everyMs: 500 },
  );
}

/** How long a process took from the start of its container until it answered, in seconds, as its log says. */
export async function untilOpen({ containers }: Installation, service: string): Promise<string> {
  const [container = ''] = await containers(service);
  const started = await docker('inspect', '--format', '{{.State.StartedAt}}', container);
  const log = await docker('logs', '--timestamps', container);
  const [open = ''] = log.split('\n').filter((line) => /is open|are taken/.test(line));
  return ((Date.parse(open.slice(0, 30)) - Date.parse(started)) / 1000).toFixed(1);
}

/** Asks within the container, without the cost of a process for each question; prints when it was ready. */
const WAIT = `(async function ask() {
  const { ok } = await fetch('http://127.0.0.1:4000/health/ready').catch(() => ({ ok: false }));
  if (ok) return console.log(Date.now());
  setTimeout(ask, 50);
})()`;

/**
 * How long a container takes until it is ready, when it alone starts, in seconds: the second start, because the first one
 * may read the image from the disk.
 */
export async function readyAfter({ containers }: Installation, service: string): Promise<string> {
  const [container = ''] = await containers(service);
  let seconds = 0;
  for (let start = 1; start <= 2; start += 1) {
    await docker('stop', container);
    await docker('start', container);
    const ready = Number(await docker('exec', container, 'node', '-e', WAIT));
    seconds = (ready - Date.parse(await docker('inspect', '--format', '{{.State.StartedAt}}', container))) / 1000;
  }
  return seconds.toFixed(1);
}
