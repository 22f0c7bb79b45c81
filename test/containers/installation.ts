import { appendFile, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';

import { startPaymentGateway } from '@foyer/ticketing/simulators/payment-gateway';

import { until } from '../support/until.ts';
import { docker, dockerPipe, root } from './engine.ts';

const PORT = 4180;
const BANK_PORT = 4181;
/** The networks that an engine gives to projects, which hold the address of this machine. */
const OF_THE_ENGINE = '127.0.0.1/32,172.16.0.0/12,192.168.0.0/16';

/** An installation of docker-compose.yml as docs/operations.md describes it, with simulators for what no machine has. */
export interface Installation {
  url: string;
  /** The variables of its `.env`. */
  env: NodeJS.Dict<string>;
  /** The command line of compose for it. */
  command: readonly string[];
  compose(...args: string[]): Promise<string>;
  /** The same with bytes for its input; returns the bytes that it prints. */
  pipe(input: Buffer | undefined, ...args: string[]): Promise<Buffer>;
  /** The ids of the containers of a service. */
  containers(service: string): Promise<string[]>;
  /** Runs a command in a container of a service. */
  inside(service: string, ...command: string[]): Promise<string>;
  stop(): Promise<void>;
}

/** Makes the `.env` of an installation by the image itself, and starts its bank; `up` is the caller's. */
export async function prepare(project: string, from?: Installation): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), `foyer-${project}-`));
  const file = join(folder, '.env');
  const secrets = from
    ? Object.entries(from.env)
        .map(([name, value = '']) => `${name}="${value.replaceAll('\n', String.raw`\n`)}"`)
        .join('\n')
    : await docker('run', '--rm', 'foyer', 'server/src/cli/main.ts', 'secrets');
  await writeFile(file, `${secrets}\n`, { mode: 0o600 });
  if (!from) {
    await appendFile(
      file,
      `PORT=${PORT}
PAYMENT_GATEWAY_URL=https://bank.test:${BANK_PORT}
PAYMENT_GATEWAY_PUBLIC_URL=http://localhost:${BANK_PORT}
PAYMENT_GATEWAY_NETWORKS=${OF_THE_ENGINE}
S3_ACCESS_KEY=foyer:store
`,
    );
  }
  const env = parseEnv(await readFile(file, 'utf8'));
  const files = ['docker-compose.yml', 'test/containers/compose.yaml'].flatMap((name) => ['--file', join(root, name)]);
  const command = ['compose', '--project-name', project, '--env-file', file, ...files];
  const compose = (...args: string[]) => docker(...command, ...args);
  const bank = await startPaymentGateway({
    folder: join(folder, 'bank'),
    secret: env['PAYMENT_GATEWAY_SECRET'] ?? '',
    publicUrl: `http://localhost:${BANK_PORT}`,
    host: '0.0.0.0',
    port: BANK_PORT,
  });
  return {
    url: `http://localhost:${PORT}`,
    env,
    command,
    compose,
    pipe: (input, ...args) => dockerPipe(input, ...command, ...args),
    containers: async (service) => (await compose('ps', '--quiet', service)).split('\n').filter(Boolean),
    inside: (service, ...command) => compose('exec', '-T', service, ...command),
    stop: () => bank.stop(),
  };
}

/** Whether every container of these services answers its health check. */
export async function untilHealthy({ compose }: Installation, ...services: string[]): Promise<void> {
  await until(
    `healthy: ${services.join(', ')}`,
    async () => {
      const listed = await compose('ps', '--format', '{{.Service}} {{.Health}}', ...services);
      const states = listed.split('\n').map((line) => line.split(' '));
      return services.every((service) => {
        const own = states.filter(([name]) => name === service);
        return own.length > 0 && own.every(([, health]) => health === 'healthy' || health === '');
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

/** A copy of everything that an installation has to keep (docs/operations.md, "Backup"). */
export interface Backup {
  databases: Record<string, Buffer>;
  volumes: Record<string, Buffer>;
}

const kept = { s3: '/data', zitadel: '/run/zitadel' };
/** The simulator keeps in files what Zitadel keeps in its database. */
const ofSimulators = { zitadel: '/state' };

const fromVolumes = async ({ compose }: Installation, service: string, ...options: string[]) => {
  const container = await compose('ps', '--all', '--quiet', service);
  return [
    'run',
    '--rm',
    ...options,
    '--user',
    '0',
    '--volumes-from',
    container,
    '--entrypoint',
    'tar',
    'foyer',
    '--xattrs',
    '--xattrs-include=*',
  ];
};

const volumes = [...Object.entries(kept), ...Object.entries(ofSimulators)] as [string, string][];

export async function backUp(installation: Installation): Promise<Backup> {
  const { compose } = installation;
  const databases: Backup['databases'] = {};
  for (const name of ['foyer', 'zitadel']) {
    const dump = ['exec', '-T', 'postgres', 'pg_dump', '--username', 'postgres', '--format', 'custom', name];
    databases[name] = await installation.pipe(undefined, ...dump);
  }
  // The store after the database: what the database names is in the copy.
  const copied: Backup['volumes'] = {};
  await compose('stop', 's3');
  for (const [service, path] of volumes)
    copied[path] = await dockerPipe(
      undefined,
      ...(await fromVolumes(installation, service)),
      '--create',
      '--directory',
      path,
      '.',
    );
  await compose('start', 's3');
  return { databases, volumes: copied };
}

/** Into an installation that has not been started yet. */
export async function restore(installation: Installation, backup: Backup): Promise<void> {
  const { compose } = installation;
  await compose('create', 's3', 'zitadel');
  for (const [service, path] of volumes)
    await dockerPipe(
      backup.volumes[path],
      ...(await fromVolumes(installation, service, '--interactive')),
      '--extract',
      '--directory',
      path,
    );
  await compose('up', '--detach', '--wait', 'postgres');
  for (const [name, dump] of Object.entries(backup.databases))
    await installation.pipe(dump, 'exec', '-T', 'postgres', 'pg_restore', '--username', 'postgres', '--dbname', name);
}
