import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { readConfig as readTicketingConfig } from '@foyer/ticketing/config';
import { beforeAll, describe, expect, it } from 'vitest';

import {
  composeText,
  envOf as environmentOf,
  newEnv,
  readers,
  root,
  scriptOf,
  servicesWith,
  type Service,
} from './testing/compose-file.ts';

let secrets: Record<string, string>;
let services: Record<string, Service>;

beforeAll(async () => {
  secrets = await newEnv();
  services = servicesWith(secrets);
});

const envOf = (name: string): NodeJS.ProcessEnv => environmentOf(services[name]);

/** Documented variables that a process reads and does not get, with the reasons. */
const keptBack: Readonly<Record<string, string>> = {
  PORT: 'the one of the proxy; within the network each process has 4000',
  HOST: 'the image says it',
  MEDIA_DIR: 'the image says it; only work lies there',
  DATA_DIR: 'the image says it; nothing is embedded',
  FFMPEG_PATH: 'the one of the image',
  FFPROBE_PATH: 'the one of the image',
  SEED_DEMO: 'refused in production',
  DEMO_PASSWORD: 'Nobody has it in production, 1',
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

describe('the variables in docker-compose.yml', () => {
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

  it('moves every address with PORT, and those of other services with variables of their own', () => {
    const ports = { PORT: '4100', S3_PORT: '4101', MAILPIT_PORT: '4102', ZITADEL_PORT: '4103' };
    const moved = servicesWith({ ...secrets, ...ports });
    for (const variable of ['PUBLIC_URL', 'ASSET_BASE_URL'])
      for (const name of Object.keys(readers).filter((each) => variable in envOf(each)))
        expect([name, environmentOf(moved[name])[variable]]).toEqual([name, 'http://localhost:4100']);
    expect(environmentOf(moved['media'])['S3_PUBLIC_ENDPOINT']).toBe('http://localhost:4101');
    expect(environmentOf(moved['zitadel'])['ZITADEL_EXTERNALPORT']).toBe('4103');
    const published = (of: typeof services) =>
      Object.fromEntries(Object.entries(of).flatMap(([name, { ports: own }]) => (own ? [[name, own]] : [])));
    expect(published(moved)).toEqual({
      proxy: ['4100:4000'],
      s3: ['127.0.0.1:4101:8333'],
      mailpit: ['127.0.0.1:4102:8025'],
      zitadel: ['127.0.0.1:4103:8080'],
    });
    expect(published(services)).toEqual({
      proxy: ['4000:4000'],
      s3: ['127.0.0.1:8333:8333'],
      mailpit: ['127.0.0.1:8025:8025'],
      zitadel: ['127.0.0.1:8080:8080'],
    });
  });

  it.each(Object.keys(readers))('gives the process %s every variable that it needs in production', (name) => {
    const env: NodeJS.ProcessEnv = { ...envOf(name), MEDIA_DIR: '/var/lib/foyer/media' }; // the image sets this
    expect(env['NODE_ENV']).toBe('production');
    for (const read of readers[name] ?? []) expect(() => read(env)).not.toThrow();
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
    const optional = [...composeText.matchAll(/^ +(\w+): \$\{(\w+):-\}$/gm)];
    expect(optional.length).toBeGreaterThan(80);
    for (const [, name, from] of optional) expect(from).toBe(name);
    expect(envOf('gateway')['SUBGRAPH_TIMEOUT_MS']).toBe('30000'); // an empty one would mean the default of 10 s
  });

  it('lets only the gateway sign the context, and only identity sign tokens', () => {
    const holders = (variable: string) => Object.keys(readers).filter((name) => variable in envOf(name));
    expect(holders('VIEWER_SIGNING_KEY')).toEqual(['gateway']);
    expect(holders('AUTH_JWT_PRIVATE_KEY')).toEqual(['identity', 'worker', 'migrate']);
  });

  it('uses every secret that foyer secrets generates, except for the key that issues licenses', () => {
    const unused = Object.keys(secrets).filter((name) => !composeText.includes(`\${${name}`));
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
      expect(scriptOf(services['postgres'])).toContain(`CREATE DATABASE ${database} OWNER ${owner};`);
  });

  it('signs links to assets for the public address of the store', () => {
    expect(envOf('media')['S3_PUBLIC_ENDPOINT']).toBe('http://localhost:8333');
  });
});
