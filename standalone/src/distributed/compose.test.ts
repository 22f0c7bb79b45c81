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
  deploy?: { replicas: number };
}

let secrets: Record<string, string>;
let services: Record<string, Service>;

beforeAll(async () => {
  const [out, err] = [new PassThrough(), new PassThrough()];
  await runProgram(['secrets', '--json'], { env: {}, out, err, signal: new AbortController().signal });
  out.end();
  secrets = JSON.parse(await text(out)) as Record<string, string>;
  const given = { ...secrets, PAYMENT_GATEWAY_URL: 'https://gateway.bank.example' };
  const file = readFileSync(join(root, 'docker-compose.yml'), 'utf8');
  const merged = parse(file, { merge: true }) as { services: Record<string, Service> };
  services = JSON.parse(JSON.stringify(merged.services), (_key, value: unknown) =>
    typeof value === 'string' ? interpolated(value, given) : value,
  ) as Record<string, Service>;
});

/** As compose does it: `${NAME:-otherwise}`, and `${NAME:?}` for what must be there. */
const interpolated = (value: string, given: Record<string, string>) =>
  value.replaceAll(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_all, name: string, how: string | undefined, otherwise = '') => {
    const told = given[name] ?? (how === '-' ? String(otherwise) : undefined);
    if (told === undefined) throw new Error(`${name} is not told`);
    return told;
  });

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

  it('pins every image', () => {
    const images = Object.values(services).map(({ image }) => image);
    for (const image of images.filter((image) => image !== 'foyer')) expect(image).toMatch(/:v?\d+[\w.-]*$/);
  });
});
