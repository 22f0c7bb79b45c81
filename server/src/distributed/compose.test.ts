import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';

import { readConfig as readGatewayConfig } from '@foyer/gateway/config';
import {
  readAuthenticationConfig,
  readConfig as readIdentityConfig,
  readCustomerDirectoryConfig,
} from '@foyer/identity/config';
import { readConfig as readMediaConfig } from '@foyer/media/config';
import { readConfig as readUploadServerConfig } from '@foyer/media/upload-server/config';
import { readConfig as readRestConfig } from '@foyer/rest-compat/config';
import { readConfig as readTicketingConfig } from '@foyer/ticketing/config';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { runProgram } from '../cli/program.ts';
import { readConfig, type ServerConfig } from '../config.ts';
import { readGatewayProcessConfig, readSubgraphProcessConfig, readWorkerConfig } from './config.ts';

const root = join(import.meta.dirname, '../../..');

interface Service {
  image: string;
  build?: { context: string; target: string };
  restart?: string;
  read_only?: boolean;
  tmpfs?: string[];
  volumes?: string[];
  pids_limit?: number;
  mem_limit?: string;
  logging?: { driver: string; options: Record<string, string> };
  command?: string[];
  environment?: Record<string, string | number>;
  ports?: string[];
  deploy?: { replicas: number };
  networks?: string[];
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
  healthcheck?: { test: string[]; start_period?: string; start_interval?: string };
  stop_grace_period?: string;
  depends_on?: Record<string, { condition: string; required?: boolean }>;
}

let secrets: Record<string, string>;
let services: Record<string, Service>;
let configs: Record<'caddyfile' | 'databases', { content: string }>;

beforeAll(async () => {
  const [out, err] = [new PassThrough(), new PassThrough()];
  await runProgram(['secrets', '--json'], { env: {}, out, err, signal: new AbortController().signal });
  out.end();
  secrets = JSON.parse(await text(out)) as Record<string, string>;
  const given = { ...secrets, PAYMENT_GATEWAY_URL: 'https://gateway.bank.example', PORT: '4100' };
  const file = readFileSync(join(root, 'docker-compose.yml'), 'utf8');
  const merged: unknown = parse(file, { merge: true });
  ({ services, configs } = JSON.parse(JSON.stringify(merged), (_key, value: unknown) =>
    typeof value === 'string' ? interpolated(value, given) : value,
  ) as { services: typeof services; configs: typeof configs });
});

const VARIABLE = /\$\{(\w+)(?::([-?])([^{}]*))?\}/g;

/** Substitutes variables as compose does: `${NAME:-otherwise}`, also nested, and `${NAME:?}` for required ones. */
function interpolated(value: string, given: Record<string, string>): string {
  const done = value.replaceAll(VARIABLE, (_all, name: string, how: string | undefined, otherwise = '') => {
    const told = given[name] ?? (how === '-' ? String(otherwise) : undefined);
    if (told === undefined) throw new Error(`${name} is not told`);
    return told;
  });
  return done === value ? done : interpolated(done, given);
}

const envOf = (name: string): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(services[name]?.environment ?? {}).map(([key, value]) => [key, String(value)]));

/** The configuration that each process reads at its start. */
const readers: Record<string, readonly ((env: NodeJS.ProcessEnv) => unknown)[]> = {
  gateway: [readGatewayProcessConfig, readAuthenticationConfig, readGatewayConfig, readRestConfig],
  identity: [readSubgraphProcessConfig, readIdentityConfig],
  ticketing: [readSubgraphProcessConfig, readAuthenticationConfig, readTicketingConfig, readCustomerDirectoryConfig],
  media: [readSubgraphProcessConfig, readAuthenticationConfig, readMediaConfig],
  worker: [readWorkerConfig, readIdentityConfig, readTicketingConfig, readCustomerDirectoryConfig, readMediaConfig],
  upload: [readUploadServerConfig],
  migrate: [readConfig, readIdentityConfig, readTicketingConfig, readCustomerDirectoryConfig, readMediaConfig],
};

/** Documented variables that a process reads and does not get, with the reasons. */
const keptBack: Readonly<Record<string, string>> = {
  PORT: 'the one of the proxy; within the network each process has 4000',
  HOST: 'the image says it',
  MEDIA_DIR: 'the image says it; only work lies there',
  DATA_DIR: 'the image says it; nothing is embedded',
  FFMPEG_PATH: 'the one of the image',
  FFPROBE_PATH: 'the one of the image',
  SEED_DEMO: 'refused in production',
  DEMO_PASSWORD: 'nobody has it in production',
  LICENSE_PRIVATE_KEY: 'a secret of the seller of licenses',
  AUTH_JWT_PRIVATE_KEY: 'a secret of who signs people in; the others have its public half',
  IDENTITY_URL: 'the name of the service, which is the default',
  TICKETING_URL: 'the name of the service, which is the default',
  MEDIA_URL: 'the name of the service, which is the default',
  EMBEDDED_SERVICES: 'nothing is embedded',
  OTEL_SERVICE_NAME: 'each process has a name of its own',
  SUBGRAPH_COMPILED: 'no subgraph is in the process of a gateway',
  FORWARD_HEADERS: 'for subgraphs of others: ours get the signed context',
};

/** The variables in the tables of docs/operations.md. */
function documented(): string[] {
  const text = readFileSync(join(root, 'docs/operations.md'), 'utf8');
  const tables = text.split('\n\n').filter((part) => /^\| variable +\|/.test(part));
  const cells = tables.flatMap((table) => table.split('\n').map((row) => row.split('|')[1] ?? ''));
  return cells.flatMap((cell) => [...cell.matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name = '']) => name));
}

/** Whether the configuration of the process changes, or becomes invalid, with another value of a variable. */
function isRead(name: string, variable: string): boolean {
  if (variable.startsWith('OTEL_')) return true; // by OpenTelemetry's SDK
  const env: NodeJS.ProcessEnv = { ...envOf(name), MEDIA_DIR: '/var/lib/foyer/media' };
  const told = (read: (env: NodeJS.ProcessEnv) => unknown, given: NodeJS.ProcessEnv) => {
    try {
      return JSON.stringify(read(given));
    } catch (error) {
      return String(error);
    }
  };
  return (readers[name] ?? []).some((read) => told(read, env) !== told(read, { ...env, [variable]: 'another' }));
}

describe('docker-compose.yml', () => {
  it('builds each image in one service, from a stage of the Dockerfile', () => {
    const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
    const built = Object.entries(services).flatMap(([name, { build, image }]) =>
      build ? [[name, image, build.target]] : [],
    );
    expect(built).toEqual([
      ['worker', 'foyer-worker', 'foyer-worker'],
      ['migrate', 'foyer', 'foyer'],
    ]);
    for (const [, , target] of built) expect(dockerfile).toMatch(new RegExp(`^FROM [\\w-]+ AS ${target}$`, 'm'));
  });

  it('gives up on a migration that fails again and again', () => {
    expect(services['migrate']?.restart).toBe('on-failure:3');
  });

  it('lets each process write to memory and its work folder only, and bounds processes, memory and log', () => {
    for (const name of Object.keys(readers)) {
      const { read_only: isReadOnly, tmpfs = [], volumes = [] } = services[name] ?? {};
      expect([name, isReadOnly]).toEqual([name, true]);
      const writable = [...tmpfs, ...volumes.filter((volume) => !volume.endsWith(':ro'))];
      expect([name, writable.filter((path) => path.includes('/var/lib/foyer')).length]).toEqual([name, 1]);
    }
    for (const [name, { pids_limit: pids, mem_limit: memory, logging }] of Object.entries(services)) {
      expect([name, pids]).toEqual([name, expect.any(Number)]);
      expect([name, memory]).toEqual([name, expect.stringMatching(/^\d+[mg]$/)]);
      expect([name, logging?.options['max-size']]).toEqual([name, '10m']);
    }
  });

  it('keeps films and parts of uploads on a disk, a folder for each process', () => {
    const folders = ['worker', 'upload'].map((name) => services[name]?.volumes?.find((at) => at.includes('/var/lib')));
    expect(folders).toEqual(['worker-work:/var/lib/foyer', 'upload-work:/var/lib/foyer']);
  });

  it('starts those that use the store after it, and so stops them before it', () => {
    expect(services['s3']?.healthcheck).toBeDefined();
    for (const name of ['media', 'worker', 'upload', 'migrate'])
      expect(services[name]?.depends_on?.['s3']).toEqual({ condition: 'service_healthy', required: false });
  });

  it('gives ticketing a bucket for receipts, needs no store for its start, and no key of media', () => {
    const { receipts } = readTicketingConfig(envOf('ticketing'));
    expect(receipts.s3).toMatchObject({ bucket: 'foyer-receipts', accessKey: secrets['S3_ACCESS_KEY'] });
    expect(receipts).toEqual(readTicketingConfig(envOf('worker')).receipts);
    expect(services['ticketing']?.depends_on).not.toHaveProperty('s3');
    for (const key of ['S3_ACCESS_KEY', 'S3_SECRET_KEY']) expect(envOf('ticketing')).not.toHaveProperty(key);
    const own = { RECEIPTS_ACCESS_KEY: 'own', RECEIPTS_SECRET_KEY: 'secret' };
    const s3 = { accessKey: 'own', secretKey: 'secret' };
    expect(readTicketingConfig({ ...envOf('worker'), ...own }).receipts.s3).toMatchObject(s3);
  });

  it('moves every address with PORT', () => {
    for (const variable of ['PUBLIC_URL', 'ASSET_BASE_URL'])
      for (const name of Object.keys(readers).filter((each) => variable in envOf(each)))
        expect([name, envOf(name)[variable]]).toEqual([name, 'http://localhost:4100']);
    expect(services['proxy']?.ports).toEqual(['4100:4000']);
  });

  it('has every process of Foyer, two gateways behind a proxy, and all external services', () => {
    const outside = ['proxy', 'postgres', 'redis', 's3', 'mailpit', 'zitadel'];
    expect(Object.keys(services).toSorted()).toEqual([...Object.keys(readers), ...outside].toSorted());
    expect(services['gateway']?.deploy?.replicas).toBe(2);
  });

  it.each(Object.keys(readers))('gives the process %s every variable that it needs in production', (name) => {
    const env: NodeJS.ProcessEnv = { ...envOf(name), MEDIA_DIR: '/var/lib/foyer/media' }; // the image sets this
    expect(env['NODE_ENV']).toBe('production');
    for (const read of readers[name] ?? []) expect(() => read(env)).not.toThrow();
  });

  it.each(Object.keys(readers))('runs the process %s from an existing file', (name) => {
    const [file = ''] = services[name]?.command ?? [];
    expect(existsSync(join(root, file))).toBe(true);
  });

  it.each(Object.keys(readers))(
    'passes to %s every documented variable that it reads, or has a reason not to',
    (name) => {
      const passedOn = envOf(name);
      expect(documented().length).toBeGreaterThan(120);
      const missing = documented().filter((variable) => !(variable in passedOn) && !(variable in keptBack));
      expect(missing.filter((variable) => isRead(name, variable))).toEqual([]);
    },
  );

  it('has no needless exceptions', () => {
    const wanted = (variable: string) =>
      Object.keys(readers).some((name) => !(variable in envOf(name)) && isRead(name, variable));
    expect(Object.keys(keptBack).filter((variable) => !wanted(variable))).toEqual([]);
  });

  it('passes each variable under its own name; unset ones keep their defaults', () => {
    const file = readFileSync(join(root, 'docker-compose.yml'), 'utf8');
    const optional = [...file.matchAll(/^ +(\w+): \$\{(\w+):-\}$/gm)];
    expect(optional.length).toBeGreaterThan(80);
    for (const [, name, from] of optional) expect(from).toBe(name);
    expect(envOf('gateway')['SUBGRAPH_TIMEOUT_MS']).toBe('30000'); // an empty one would mean the default of 10 s
  });

  it.each(Object.keys(readers).filter((name) => name !== 'migrate'))(
    'checks the health of %s, gives it the time to stop, and starts it on a ready database',
    (name) => {
      const { healthcheck, stop_grace_period: grace, depends_on: waitsFor } = services[name] ?? {};
      const [read = () => ({})] = readers[name] ?? [];
      const { shutdownDelayMs, drainMs } = read({ ...envOf(name), MEDIA_DIR: '/var' }) as ServerConfig;
      expect(healthcheck?.test.join(' ')).toContain('/health/ready');
      expect([healthcheck?.start_period, healthcheck?.start_interval]).toEqual(['90s', '2s']);
      const stoppingMs = shutdownDelayMs + drainMs + 11_000; // what a process may take (shared/src/process/run.ts)
      expect(1_000 * Number(/^(\d+)s$/.exec(grace ?? '')?.[1])).toBeGreaterThanOrEqual(stoppingMs);
      expect(waitsFor?.['migrate']?.condition).toBe('service_completed_successfully');
    },
  );

  it('lets only the gateway sign the context, and only identity sign tokens', () => {
    const holders = (variable: string) => Object.keys(readers).filter((name) => variable in envOf(name));
    expect(holders('VIEWER_SIGNING_KEY')).toEqual(['gateway']);
    expect(holders('AUTH_JWT_PRIVATE_KEY')).toEqual(['identity', 'worker', 'migrate']);
  });

  it('uses every secret that foyer secrets generates, except for the key that issues licenses', () => {
    const file = readFileSync(join(root, 'docker-compose.yml'), 'utf8');
    const unused = Object.keys(secrets).filter((name) => !file.includes(`\${${name}`));
    expect(unused).toEqual(['LICENSE_PRIVATE_KEY', 'COMPOSE_PROFILES']); // the second is compose's own
  });

  it('gives gateways no address and no password of a database', () => {
    expect(envOf('gateway')).not.toHaveProperty('DATABASE_URL');
    for (const secret of Object.keys(secrets).filter((name) => /DB_PASSWORD|POSTGRES/.test(name)))
      expect(JSON.stringify(services['gateway'])).not.toContain(secrets[secret]);
  });

  it('supports the rotation of every key: the next one reaches every process that has the current one', () => {
    const takesOver = {
      VIEWER_PUBLIC_KEY_PREVIOUS: 'VIEWER_PUBLIC_KEY',
      AUTH_JWT_NEXT_KEY: 'AUTH_JWT_PUBLIC_KEY',
      AUTH_JWT_PREVIOUS_KEY: 'AUTH_JWT_PUBLIC_KEY',
      INTERNAL_PSK_PREVIOUS: 'INTERNAL_PSK',
      PAYMENT_GATEWAY_SECRET_PREVIOUS: 'PAYMENT_GATEWAY_SECRET',
      TICKET_SIGNING_KEY_PREVIOUS: 'TICKET_SIGNING_KEY',
    };
    const holders = (variable: string) => Object.keys(readers).filter((name) => variable in envOf(name));
    for (const [key, from] of Object.entries(takesOver)) expect([key, holders(key)]).toEqual([key, holders(from)]);
  });

  it('gives Foyer and the identity provider a database and a password each, and nobody superuser rights', () => {
    const held = (secret: string) => {
      const said = (name: string) => JSON.stringify(services[name]?.environment ?? {});
      return Object.keys(services).filter((name) => said(name).includes(secrets[secret] ?? '-'));
    };
    expect(held('POSTGRES_PASSWORD')).toEqual(['postgres']);
    expect(held('ZITADEL_DB_PASSWORD')).toEqual(['postgres', 'zitadel']);
    const running = Object.keys(readers).filter((name) => !['gateway', 'migrate'].includes(name));
    expect(held('FOYER_DB_PASSWORD')).toEqual([...running, 'postgres']);
    expect(held('FOYER_OWNER_DB_PASSWORD')).toEqual(['migrate', 'postgres']);
    for (const [database, owner] of [
      ['foyer', 'foyer_owner'],
      ['zitadel', 'zitadel'],
    ])
      expect(configs.databases.content).toContain(`CREATE DATABASE ${database} OWNER ${owner};`);
  });

  it('lets no client supervise the processes, choose a request id, or state its own address', () => {
    const lines = configs.caddyfile.content.split('\n').map((line) => line.trim());
    expect(lines).toContain('@inside path /metrics /metrics/ /health/*');
    expect(lines).toContain('request_header X-Request-Id {http.request.uuid}');
    expect(lines).toContain('trusted_proxies static 127.0.0.1/32'); // unless PROXIES_IN_FRONT is set
    const proxies = lines.filter((line) => line.startsWith('reverse_proxy'));
    expect(lines.filter((line) => line === 'header_up X-Forwarded-For {client_ip}').length).toBe(proxies.length);
  });

  it('signs links to assets for the public address of the store', () => {
    expect(envOf('media')['S3_PUBLIC_ENDPOINT']).toBe('http://localhost:8333');
    expect(services['s3']?.ports).toEqual(['127.0.0.1:8333:8333']);
  });

  it('has the files of /docs in its image', () => {
    expect(readFileSync(join(root, '.dockerignore'), 'utf8')).not.toContain('docs');
  });

  it('gives no service a needless capability, and Foyer none', () => {
    for (const [name, { cap_drop: dropped, security_opt: options }] of Object.entries(services))
      expect({ name, dropped, options }).toEqual({ name, dropped: ['ALL'], options: ['no-new-privileges:true'] });
    for (const name of Object.keys(readers)) expect(services[name]?.cap_add).toBeUndefined();
  });

  it('connects each service to those that it calls, and no public one to a database', () => {
    const beside = (name: string) =>
      Object.keys(services).filter(
        (other) =>
          other !== name && services[other]?.networks?.some((each) => services[name]?.networks?.includes(each)),
      );
    expect(beside('proxy')).toEqual(['gateway', 'upload']);
    expect(beside('s3')).toEqual(['ticketing', 'media', 'worker', 'upload', 'migrate']);
    expect(beside('mailpit')).toEqual(['identity', 'ticketing', 'worker', 'migrate', 'zitadel']);
    expect(beside('redis')).toEqual(Object.keys(readers));
    const withDatabase = Object.keys(readers).filter((name) => name !== 'gateway');
    expect(beside('postgres')).toEqual([...withDatabase, 'zitadel']);
  });

  it('sets a password for Redis', () => {
    expect(envOf('gateway')['REDIS_URL']).toBe(`redis://:${secrets['REDIS_PASSWORD']}@redis:6379`);
    const [, , script = ''] = services['redis']?.command ?? [];
    expect(script.split('\n')).toContain('requirepass $$REDIS_PASSWORD'); // a line of its configuration
    expect(envOf('redis')).toEqual({
      REDIS_PASSWORD: secrets['REDIS_PASSWORD'],
      REDISCLI_AUTH: secrets['REDIS_PASSWORD'],
    });
  });

  it('pins the version of every image', () => {
    const images = Object.values(services).map(({ image }) => image);
    for (const image of images.filter((image) => !image.startsWith('foyer'))) expect(image).toMatch(/:v?\d+[\w.-]*$/);
  });
});
