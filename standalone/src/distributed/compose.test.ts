import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';

import { readConfig as readGatewayConfig } from '@foyer/gateway/config';
import { readAuthenticationConfig, readConfig as readIdentityConfig, readProviderConfig } from '@foyer/identity/config';
import { readConfig as readMediaConfig } from '@foyer/media/config';
import { readConfig as readUploadServerConfig } from '@foyer/media/upload-server/config';
import { readConfig as readRestConfig } from '@foyer/rest-compat/config';
import { readConfig as readTicketingConfig } from '@foyer/ticketing/config';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { runProgram } from '../cli/program.ts';
import { readConfig } from '../config.ts';
import { readGatewayProcessConfig, readSubgraphProcessConfig, readWorkerConfig } from './config.ts';

const root = join(import.meta.dirname, '../../..');

interface Service {
  image: string;
  command?: string[];
  environment?: Record<string, string | number>;
  ports?: string[];
  deploy?: { replicas: number };
}

let secrets: Record<string, string>;
let services: Record<string, Service>;
let configs: Record<'caddyfile' | 'databases', { content: string }>;

beforeAll(async () => {
  const [out, err] = [new PassThrough(), new PassThrough()];
  await runProgram(['secrets', '--json'], { env: {}, out, err, signal: new AbortController().signal });
  out.end();
  secrets = JSON.parse(await text(out)) as Record<string, string>;
  const given = { ...secrets, PAYMENT_GATEWAY_URL: 'https://gateway.bank.example' };
  const file = readFileSync(join(root, 'docker-compose.yml'), 'utf8');
  const merged: unknown = parse(file, { merge: true });
  ({ services, configs } = JSON.parse(JSON.stringify(merged), (_key, value: unknown) =>
    typeof value === 'string' ? interpolated(value, given) : value,
  ) as { services: typeof services; configs: typeof configs });
});

const VARIABLE = /\$\{(\w+)(?::([-?])([^{}]*))?\}/g;

/** As compose does it: `${NAME:-otherwise}`, one inside another too, and `${NAME:?}` for what must be there. */
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

/** What each process reads when it starts. */
const readers: Record<string, readonly ((env: NodeJS.ProcessEnv) => unknown)[]> = {
  gateway: [readGatewayProcessConfig, readAuthenticationConfig, readGatewayConfig, readRestConfig],
  identity: [readSubgraphProcessConfig, readIdentityConfig],
  ticketing: [readSubgraphProcessConfig, readAuthenticationConfig, readTicketingConfig, readProviderConfig],
  media: [readSubgraphProcessConfig, readAuthenticationConfig, readMediaConfig],
  worker: [readWorkerConfig, readIdentityConfig, readTicketingConfig, readProviderConfig, readMediaConfig],
  upload: [readUploadServerConfig],
  migrate: [readConfig, readIdentityConfig, readTicketingConfig, readProviderConfig, readMediaConfig],
};

describe('docker-compose.yml', () => {
  it('has every process of Foyer, two gateways behind a proxy, and everything outside', () => {
    const outside = ['proxy', 'postgres', 'redis', 's3', 'mailpit', 'zitadel'];
    expect(Object.keys(services).toSorted()).toEqual([...Object.keys(readers), ...outside].toSorted());
    expect(services['gateway']?.deploy?.replicas).toBe(2);
  });

  it.each(Object.keys(readers))('tells the process %s all that it must know in production', (name) => {
    const env: NodeJS.ProcessEnv = { ...envOf(name), MEDIA_DIR: '/var/lib/foyer/media' }; // the image says that
    expect(env['NODE_ENV']).toBe('production');
    for (const read of readers[name] ?? []) expect(() => read(env)).not.toThrow();
  });

  it.each(Object.keys(readers))('runs the process %s from a file that is there', (name) => {
    const [file = ''] = services[name]?.command ?? [];
    expect(existsSync(join(root, file))).toBe(true);
  });

  it('lets nobody but the gateway say who asks, and nobody but who signs people in sign tokens', () => {
    const holders = (variable: string) => Object.keys(readers).filter((name) => variable in envOf(name));
    expect(holders('VIEWER_SIGNING_KEY')).toEqual(['gateway']);
    expect(holders('AUTH_JWT_PRIVATE_KEY')).toEqual(['identity', 'worker', 'migrate']);
  });

  it('uses every secret that foyer secrets makes, but for the key that issues licenses', () => {
    const file = readFileSync(join(root, 'docker-compose.yml'), 'utf8');
    const unused = Object.keys(secrets).filter((name) => !file.includes(`\${${name}`));
    expect(unused).toEqual(['LICENSE_PRIVATE_KEY']);
  });

  it('lets every key change: what takes over from another reaches whoever has that', () => {
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

  it('gives Foyer and the identity provider a database and a password each, and nobody the superuser', () => {
    const held = (secret: string) => {
      const said = (name: string) => JSON.stringify(services[name]?.environment ?? {});
      return Object.keys(services).filter((name) => said(name).includes(secrets[secret] ?? '-'));
    };
    expect(held('POSTGRES_PASSWORD')).toEqual(['postgres']);
    expect(held('ZITADEL_DB_PASSWORD')).toEqual(['postgres', 'zitadel']);
    expect(held('FOYER_DB_PASSWORD')).toEqual([...Object.keys(readers), 'postgres']);
    for (const owner of ['foyer', 'zitadel'])
      expect(configs.databases.content).toContain(`CREATE DATABASE ${owner} OWNER ${owner};`);
  });

  it('lets nobody outside look after the processes, choose an id of a request, or say from where they ask', () => {
    const lines = configs.caddyfile.content.split('\n').map((line) => line.trim());
    expect(lines).toContain('@inside path /metrics /metrics/ /health/*');
    expect(lines).toContain('request_header X-Request-Id {http.request.uuid}');
    expect(lines).toContain('trusted_proxies static 127.0.0.1/32'); // unless PROXIES_IN_FRONT is told
    const proxies = lines.filter((line) => line.startsWith('reverse_proxy'));
    expect(lines.filter((line) => line === 'header_up X-Forwarded-For {client_ip}').length).toBe(proxies.length);
  });

  it('signs links to assets for where browsers reach the store', () => {
    expect(envOf('media')['S3_PUBLIC_ENDPOINT']).toBe('http://localhost:8333');
    expect(services['s3']?.ports).toEqual(['127.0.0.1:8333:8333']);
  });

  it('has on its image what /docs shows', () => {
    expect(readFileSync(join(root, '.dockerignore'), 'utf8')).not.toContain('docs');
  });

  it('names a version of every image', () => {
    const images = Object.values(services).map(({ image }) => image);
    for (const image of images.filter((image) => image !== 'foyer')) expect(image).toMatch(/:v?\d+[\w.-]*$/);
  });
});
