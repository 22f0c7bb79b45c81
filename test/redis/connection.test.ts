import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { lacks, why } from '@foyer/shared/testing/missing';
import { logOptions } from '@foyer/shared/telemetry/log';
import { openRedis, type SharedRedis } from '@foyer/shared/events/redis';
import { freePort } from '@foyer/prisma/free-port';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { noRedis, PASSWORD, startRedisServer, whyNoRedis, type RedisServer } from '../support/servers/redis-server.ts';
import { until } from '../support/until.ts';

const root = join(import.meta.dirname, '../..');
let folder: string;
let server: RedisServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-redis-test-'));
  if (!noRedis) server = await startRedisServer();
});
afterAll(async () => {
  if (!noRedis) await server.stop();
  await rm(folder, { recursive: true, force: true });
});

let opened: SharedRedis | undefined;
afterEach(() => opened?.stop());

/** Redis as a process opens it, and its log. */
function open(url: string) {
  let logged = '';
  const redis = openRedis({ url, log: pino(logOptions('trace'), { write: (line: string) => void (logged += line) }) });
  opened = redis;
  return { redis, logged: () => logged };
}
const ready = ({ client }: SharedRedis) => until('Redis', async () => client.status === 'ready', { everyMs: 10 });

describe.skipIf(noRedis)(`a process with Redis${whyNoRedis}`, () => {
  it('uses the database of the number in the URL', async () => {
    const { redis } = open(`${server.url}/3`);
    await ready(redis);
    expect(redis.prefix).toBe('foyer:3:');
    await redis.client.set('foyer:3:here', '1', 'PX', 1_000);
    expect(await redis.client.info('keyspace')).toContain('db3:');
  });

  it('starts while Redis is away, and connects when it comes', async () => {
    await server.kill();
    const { redis, logged } = open(server.url);
    await until('a word about it', async () => logged().includes('not reached'));
    await expect(redis.check()).rejects.toThrow();

    await server.start();
    await ready(redis);
    await expect(redis.check()).resolves.toBeUndefined();
    expect(logged()).toContain('reached again');
  });

  it('does not wait for a missing answer, and reconnects', async () => {
    const { redis, logged } = open(server.url);
    await ready(redis);
    server.freeze();

    await expect(redis.client.get('anything')).rejects.toThrow();
    await until('the connection to be given up', async () => redis.client.status !== 'ready');
    await expect(redis.client.get('anything')).rejects.toThrow();

    server.thaw();
    await ready(redis);
    expect(await redis.client.get('anything')).toBeNull();
    expect(logged()).toContain('given up');
  });

  it('logs once that the password is wrong, and never the password', async () => {
    const { redis, logged } = open(server.url.replace(PASSWORD, 'a-wrong-guess'));
    await until('a second try', async () => logged().includes('WRONGPASS') && redis.client.status === 'connecting', {
      everyMs: 1,
    });
    await expect(redis.client.get('anything')).rejects.toThrow();

    expect(logged().match(/WRONGPASS/g)).toHaveLength(1);
    expect(logged()).not.toContain('a-wrong-guess');
  });
});

const run = (env: Record<string, string>) =>
  new Promise<string>((resolve) => {
    const file = join(root, 'node_modules/.bin/node');
    const { PATH = '', HOME = '' } = process.env;
    const options = { cwd: root, env: { PATH, HOME, DATA_DIR: join(folder, 'data'), ...env } };
    execFile(file, ['server/src/cli/main.ts', 'doctor'], options, (_error, out, err) => resolve(out + err));
  });

describe.skipIf(noRedis)(`pnpm foyer doctor${whyNoRedis}`, () => {
  it('accepts a working Redis', async () => {
    expect(await run({ REDIS_URL: server.url })).toMatch(/^ok +Redis +127\.0\.0\.1:\d+: version \d/m);
  });

  it.each([
    ['is not there', async () => `redis://127.0.0.1:${await freePort()}`, /ECONNREFUSED/],
    ['takes another password', async () => server.url.replace(PASSWORD, 'a-wrong-guess'), /WRONGPASS/],
  ])('reports that it %s', async (_, url, reason) => {
    const said = await run({ REDIS_URL: await url() });
    expect(said).toMatch(/^FAILED +Redis/m);
    expect(said).toMatch(reason);
    expect(said).not.toContain('a-wrong-guess');
  });

  it('accepts the documented rights', async () => {
    const operations = await readFile(join(root, 'docs/operations.md'), 'utf8');
    const rights = /ACL needs `([^`]+)`/.exec(operations)?.[1]?.split(/\s+/) ?? [];
    const { redis } = open(server.url);
    await ready(redis);
    await redis.client.call('ACL', 'SETUSER', 'foyer', 'reset', 'on', '>foyer', ...rights);

    const said = await run({ REDIS_URL: server.url.replace(`:${PASSWORD}`, 'foyer:foyer') });

    expect(said).toMatch(/^ok +Redis/m);
  });

  it('reports that its user may not publish', async () => {
    const { redis } = open(server.url);
    await ready(redis);
    await redis.client.call('ACL', 'SETUSER', 'mute', 'on', '>mute', '~*', '+@all', 'resetchannels');

    const said = await run({ REDIS_URL: server.url.replace(`:${PASSWORD}`, 'mute:mute') });

    expect(said).toMatch(/^FAILED +Redis .*NOPERM/m);
  });

  it('names the variable with an invalid URL, and does not repeat its value', async () => {
    const said = await run({ REDIS_URL: `http://:${PASSWORD}@127.0.0.1` });
    expect(said).toContain('REDIS_URL: must be a redis:// or rediss:// URL');
    expect(said).not.toContain(PASSWORD);
  });
});

const noTls = noRedis || lacks('openssl');

describe.skipIf(noTls)(`rediss://${whyNoRedis}${why('openssl')}`, () => {
  it('accepts only a server with a valid certificate', async () => {
    const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
    const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'];
    const names = ['-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
    execFileSync('openssl', [...request, ...names, '-keyout', key, '-out', certificate], { stdio: 'ignore' });
    const port = String(await freePort());
    const flags = ['--tls-port', port, '--tls-cert-file', certificate, '--tls-key-file', key];
    const secret = await startRedisServer(...flags, '--tls-ca-cert-file', certificate, '--tls-auth-clients', 'no');
    const url = `rediss://:${PASSWORD}@127.0.0.1:${port}`;

    const said = [await run({ REDIS_URL: url, NODE_EXTRA_CA_CERTS: certificate }), await run({ REDIS_URL: url })];
    await secret.stop();

    expect(said[0]).toMatch(/^ok +Redis/m);
    expect(said[1]).toMatch(/^FAILED +Redis .*self-signed/m);
  });
});
