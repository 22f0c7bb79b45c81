import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
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
const S3_PORT = 4183;

/** What the operator of these tests sets, besides what docs/operations.md says. */
const settings = {
  COMPOSE_PROJECT_NAME: 'foyer-containers',
  COMPOSE_FILE: 'docker-compose.yml:test/containers/compose.yaml',
  PORT: String(PORT),
  S3_PORT: String(S3_PORT),
  MAILPIT_PORT: '4184',
  ZITADEL_PORT: '4185',
  PAYMENT_GATEWAY_URL: `https://bank.test:${BANK_PORT}`,
  PAYMENT_GATEWAY_PUBLIC_URL: `http://localhost:${BANK_PORT}`,
  // The networks that an engine gives to projects, and this machine.
  PAYMENT_GATEWAY_NETWORKS: '127.0.0.1/32,172.16.0.0/12,192.168.0.0/16',
  S3_ACCESS_KEY: 'foyer:store',
  // The administrator of these tests logs in once.
  AUTH_JWT_ACCESS_EXPIRY: '14400',
  // All clients of these tests have one address.
  GRAPHQL_REQUESTS_PER_ADDRESS: '60000',
  GUEST_ORDERS_PER_MINUTE: '6000',
  PAYMENT_TOKENS_PER_MINUTE: '6000',
  OPEN_ORDERS_PER_ADDRESS: '6000',
};

/** Without what pnpm and vitest set for the programs that they start: it would not install what a command needs. */
const ofAnOperator = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(npm_|pnpm_|VITEST|NODE_ENV$)/.test(name)),
);

/** An installation of docker-compose.yml in a folder of its own, and its bank. */
export interface Installation {
  url: string;
  folder: string;
  /** Runs shell commands in its folder, as an operator does; returns what they print. */
  shell(commands: string): Promise<string>;
  /** A value of its `.env`. */
  secret(name: string): Promise<string>;
  /** The ids of the containers of a service. */
  containers(service: string): Promise<string[]>;
  /** Another folder with a copy of the project and nothing else, as on a new machine. It has the same bank. */
  another(): Promise<Installation>;
  /** Stops it, and removes all that it has. */
  remove(): Promise<void>;
}

/** A copy of the project, ready to be started. */
export async function prepare(): Promise<Installation> {
  const base = await mkdtemp(join(tmpdir(), 'foyer-containers-'));
  // `docker` of the commands is the engine's client.
  await mkdir(join(base, 'bin'));
  await symlink(client, join(base, 'bin/docker'));
  const path = `${join(base, 'bin')}:${process.env['PATH'] ?? ''}`;

  let bank: { stop(): Promise<void> } | undefined;
  let copies = 0;
  async function inAnotherFolder(): Promise<Installation> {
    const folder = join(base, `foyer-${(copies += 1)}`);
    await copyProject(folder);
    const secret = async (name: string) => parseEnv(await readFile(join(folder, '.env'), 'utf8'))[name] ?? '';
    async function shell(commands: string) {
      const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', commands], {
        cwd: folder,
        env: { ...ofAnOperator, ...settings, PATH: path },
        maxBuffer: 64 * 1024 * 1024,
      });
      // The bank shares a secret of the `.env` with which the first containers are started.
      if (commands.includes('docker compose'))
        bank ??= await openBank(join(base, 'bank'), await secret('PAYMENT_GATEWAY_SECRET'));
      return stdout.trim();
    }
    return {
      url: `http://localhost:${PORT}`,
      folder,
      shell,
      secret,
      containers: async (service) => (await shell(`docker compose ps --quiet ${service}`)).split('\n').filter(Boolean),
      another: inAnotherFolder,
      async remove() {
        const all = 'COMPOSE_PROFILES=postgres,redis,s3,zitadel,mailpit';
        if (existsSync(join(folder, '.env'))) await shell(`${all} docker compose down --volumes --timeout 5`);
        await bank?.stop();
        await rm(base, { recursive: true, force: true });
      },
    };
  }
  return inAnotherFolder();
}

/** Copies the files that belong to the project, committed or not yet. */
async function copyProject(folder: string): Promise<void> {
  const { stdout: tracked } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    maxBuffer: 16 * 1024 * 1024,
  });
  for (const file of tracked.split('\0').filter(Boolean))
    await cp(join(root, file), join(folder, file), { preserveTimestamps: true }).catch(() => undefined); // removed, not yet committed
}

function openBank(folder: string, secret: string) {
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
    { timeoutMs: 900_000, everyMs: 500 },
  );
}

/**
 * Asks within the container, without the cost of a process for each question. Prints when it was ready, the CPU of its process until
 * then, and that of Node itself for an empty script, in seconds.
 */
const WAIT = `
const { execFileSync } = require('node:child_process');
const { readFileSync, readdirSync } = require('node:fs');
const port = process.argv[1];
/** The parent of a process and, in seconds, its own CPU and that of its children that have ended; nothing of one that has ended itself. */
function look(pid) {
  try {
    const fields = readFileSync('/proc/' + pid + '/stat', 'utf8').split(') ')[1].split(' ').map(Number);
    return { parent: fields[1], own: (fields[11] + fields[12]) / 100, ended: (fields[13] + fields[14]) / 100 };
  } catch {
    return { parent: 0, own: 0, ended: 0 };
  }
}
const cpu = () => readdirSync('/proc').filter((pid) => Number(pid) && Number(pid) !== process.pid).map(look)
  .filter(({ parent }) => parent === 1).reduce((sum, { own, ended }) => sum + own + ended, 0);
function ofNode() {
  for (let count = 0; count < 10; count += 1) execFileSync(process.execPath, ['-e', '0']);
  return look(process.pid).ended / 10;
}
(async function ask() {
  const { ok } = await fetch('http://127.0.0.1:' + port + '/health/ready').catch(() => ({ ok: false }));
  if (ok) return console.log(Date.now(), cpu(), ofNode());
  setTimeout(ask, 50);
})()`;

/** How a container starts that alone does so. */
export interface Start {
  /** From the start of its process until it is ready. */
  seconds: number;
  cpuSeconds: number;
  /** The CPU as a multiple of what Node takes for an empty script, at the same time: on a busy machine both take more. */
  emptyScripts: number;
}

/** Starts a container again, twice: the first one may read the image from the disk. */
export async function startOf({ containers }: Installation, service: string): Promise<Start> {
  const [container = ''] = await containers(service);
  const port = service === 'upload' ? '4080' : '4000';
  let start: Start = { seconds: 0, cpuSeconds: 0, emptyScripts: 0 };
  for (let count = 1; count <= 2; count += 1) {
    await docker('stop', container);
    await docker('start', container);
    const answer = await docker('exec', container, 'node', '-e', WAIT, port);
    const [readyAt = 0, cpuSeconds = 0, ofNode = 0] = answer.split(' ').map(Number);
    const startedAt = Date.parse(await docker('inspect', '--format', '{{.State.StartedAt}}', container));
    start = { seconds: (readyAt - startedAt) / 1000, cpuSeconds, emptyScripts: cpuSeconds / ofNode };
  }
  return start;
}
