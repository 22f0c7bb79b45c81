import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { describe, expect, it, vi } from 'vitest';

import { gatewayOverRemoteShops, reasonsOf } from './testing/gateway-over-remote-shops.ts';
import { startKeyServer } from './testing/key-server.ts';
import { shops, supergraphAt } from './testing/shops.ts';
import { aClient, watch } from './testing/ws-clients.ts';

const { addresses, ask, at, open, post, streamUrl, url } = gatewayOverRemoteShops();

const me = '{ me { name } }';
const openWith = (configuration: object, env: Record<string, string> = {}) =>
  open(env, { configuration: JSON.stringify(configuration) });

describe('a configured subgraph', () => {
  it('is called at the address of the file instead of that in the supergraph', async () => {
    // `users` in the supergraph is wherever nobody answers.
    const real = at('users').url;
    at('users').url = 'http://127.0.0.1:9/graphql';
    await openWith({ overrideSubgraphUrl: { users: real } });

    expect(await ask(me)).toEqual({ data: { me: { name: 'Aminah' } } });
  });

  it('has a timeout of its own', async () => {
    await openWith({ trafficShaping: { all: { timeout: '1m' }, subgraphs: { users: { timeout: '50ms' } } } });
    at('users').delayMs = 500;
    at('reviews').delayMs = 500;

    expect(reasonsOf(await ask('{ me { name } }'))).toEqual(['SUBGRAPH_TIMEOUT']);
    expect(await ask('{ lastReview { stars } }')).toEqual({ data: { lastReview: { stars: 4 } } });
  });

  it.each<[string, object, string]>([
    [
      'a field of subscriptions',
      { subscriptions: { shared: ['reviewed', 'reviewd'] } },
      'subscriptions.shared.reviewd: the supergraph has only the fields of subscriptions review',
    ],
    ['a label', { overrideLabels: ['new'] }, 'overrideLabels.new: the supergraph has no labels of @override'],
  ])('is served only where the supergraph has what its configuration names, such as %s', async (_what, more, why) => {
    await expect(openWith(more)).rejects.toThrow(why);
  });

  it('that the supergraph does not have is an error at the start', async () => {
    const rules = { request: [{ remove: { named: 'x-a' } }] };

    await expect(
      openWith({
        overrideSubgraphUrl: { user: 'http://127.0.0.1:9' },
        headers: { subgraphs: { reviewz: rules } },
        trafficShaping: { subgraphs: { products: { timeout: '1s' } } },
      }),
    ).rejects.toThrow(
      'overrideSubgraphUrl.user, headers.subgraphs.reviewz: the supergraph has only the subgraphs products, reviews, users',
    );
  });
});

describe('the limits of the file', () => {
  it('are those of the gateway', async () => {
    await openWith({ limits: { maxDepth: 1 }, introspection: false });

    expect(reasonsOf(await ask(me))).toEqual(['MAX_DEPTH']);
    expect((await ask('{ __type(name: "User") { name } }')).errors).toHaveLength(1);
  });
});

it('the health of the gateway is at the configured path', async () => {
  await openWith({ healthCheck: { path: '/_internal/health' } });
  const status = async (path: string) => (await fetch(new URL(path, url()))).status;

  expect(await status('/_internal/health/live')).toBe(200);
  expect(await status('/_internal/health/ready')).toBe(200);
  expect(await status('/health/live')).toBe(404);
});

describe('pages of other origins', () => {
  const cors = {
    origins: ['https://shop.example'],
    matchOrigins: [String.raw`https://\w+\.shop\.example`],
    allowHeaders: ['x-tenant'],
    exposeHeaders: ['x-cost'],
    methods: ['POST'],
    maxAge: '1m',
  };
  const preflight = async (origin: string) => {
    const asking = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-tenant' };
    return Object.fromEntries((await fetch(url(), { method: 'OPTIONS', headers: asking })).headers);
  };

  it.each(['https://shop.example', 'https://eu.shop.example'])('%s may use the gateway', async (origin) => {
    await openWith({ cors });

    const { 'access-control-allow-headers': allowed = '', ...headers } = await preflight(origin);

    expect(headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'POST',
      'access-control-max-age': '60',
    });
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
    expect(allowed).toContain('x-tenant');
    const answer = await post(me, { origin });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-expose-headers')).toContain('x-cost');
    expect(answer.headers.get('vary')).toContain('Origin');
  });

  it.each([
    'https://evil.example',
    'https://shop.example.evil.example',
    'https://eu.shop.example.evil.example',
    'http://eu.shop.example',
    'null',
  ])('%s may not', async (origin) => {
    await openWith({ cors });

    expect(await preflight(origin)).not.toHaveProperty('access-control-allow-origin');
    expect((await post(me, { origin })).status).toBe(403);
    expect(await watch(aClient(streamUrl(), { headers: { origin } }), me).ended).toMatchObject({
      message: expect.stringContaining('403'),
    });
  });

  it.each([
    [true, 'a=b'],
    [false, undefined],
  ])('use the cookies of their visitors only with allowCredentials: %s', async (allowCredentials, cookie) => {
    await openWith({
      cors: { ...cors, allowCredentials },
      headers: { all: { request: [{ propagate: { named: 'cookie' } }] } },
    });
    const origin = 'https://shop.example';
    const client = aClient(streamUrl(), { headers: { origin, cookie: 'a=b' } });

    expect((await preflight(origin))['access-control-allow-credentials']).toBe(allowCredentials ? 'true' : undefined);
    expect(await watch(client, me).ended).toBe('complete');
    expect(at('users').requests.map(({ headers }) => headers.cookie)).toEqual([cookie]);
    await client.dispose();
  });
});

describe('subscriptions', () => {
  const counted = 'subscription { reviewCount }';
  const reviewed = 'subscription { reviewed { stars } }';
  const first = { data: { reviewCount: 4 } };

  it('are not shared, so that a late joiner gets the state that its subgraph sends at first', async () => {
    await openWith({});
    const client = aClient(streamUrl());
    const early = watch(client, counted);
    await expect.poll(() => early.results).toEqual([first]);

    const late = watch(client, counted);

    await expect.poll(() => late.results).toEqual([first]);
    expect(shops.watchers()).toBe(2);
    await client.dispose();
    await expect.poll(() => shops.watchers()).toBe(0);
  });

  it('are shared where the file names the field, and only there', async () => {
    await openWith({ subscriptions: { shared: ['reviewed'] } });
    const client = aClient(streamUrl());
    const shared = [watch(client, reviewed), watch(client, reviewed)];
    const alone = [watch(client, counted), watch(client, counted)];
    await expect.poll(() => alone.map(({ results }) => results)).toEqual([[first], [first]]);
    await expect.poll(() => shops.watchers()).toBe(3);

    shops.review();

    await expect.poll(() => shared.map(({ results }) => results.length)).toEqual([1, 1]);
    await client.dispose();
    await expect.poll(() => shops.watchers()).toBe(0);
  });
});

describe('a shared subscription', () => {
  const jwt = (url: string) => ({
    authentication: { jwt: { jwks: [{ url }] } },
    subscriptions: { shared: ['reviewed'] },
  });

  it.each<[string, object, number]>([
    ['is one upstream for callers whom its subgraph can not tell apart', {}, 1],
    [
      'is one for each caller whom a header names',
      { headers: { all: { request: [{ insert: { name: 'x-user-id', claim: 'sub' } }] } } },
      2,
    ],
  ])('%s', async (_what, more, upstreams) => {
    const keys = await startKeyServer();
    await openWith({ ...jwt(keys.url), ...more });
    const clients = await Promise.all(
      ['u1', 'u2'].map(async (sub) => {
        const authorization = `Bearer ${await keys.sign({ sub })}`;
        return aClient(streamUrl(), { connectionParams: { authorization } });
      }),
    );
    const heard = clients.map((client) => watch(client, 'subscription { reviewed { stars } }').results);

    await vi.waitFor(() => {
      shops.review();
      for (const results of heard) expect(results).not.toHaveLength(0);
    });

    expect(shops.watchers()).toBe(upstreams);
    await Promise.all(clients.map(async (client) => client.dispose()));
    await expect.poll(() => shops.watchers()).toBe(0);
    await keys.stop();
  });
});

describe('node gateway/src/main.mjs --config', () => {
  /** Runs it to its end, or until it says that it is open. */
  async function run(configuration: string) {
    const folder = await mkdtemp(join(tmpdir(), 'foyer-main-'));
    await writeFile(join(folder, 'supergraph.graphql'), supergraphAt(addresses()));
    await writeFile(join(folder, 'gateway.yaml'), configuration);
    const args = [join(import.meta.dirname, 'main.mjs'), '--config', join(folder, 'gateway.yaml')];
    const child = spawn(process.execPath, args, {
      env: { PATH: process.env['PATH'] },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const exited = once(child, 'exit').then(([code]: unknown[]) => code);
    const problems = text(child.stderr);
    const opened = once(child.stdout, 'data').then(([line]: unknown[]) => String(line));
    return {
      exited,
      problems,
      opened,
      async end() {
        child.kill('SIGTERM');
        await exited;
        await rm(folder, { recursive: true });
      },
    };
  }

  it('serves the supergraph that the file names', async () => {
    await open(); // the fixture ends it
    const { opened, exited, end } = await run('supergraph: { path: supergraph.graphql }\nlisten: { port: 0 }');

    const address = /http:\S+/.exec(await opened)?.[0] ?? '';
    const answer = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: me }),
    });

    expect(await answer.json()).toEqual({ data: { me: { name: 'Aminah' } } });
    await end();
    expect(await exited).toBe(0);
  });

  it('ends with a line for each problem of the file', async () => {
    await open();
    const { problems, exited, end } = await run('limits: { maxDept: 3 }\nlisten: { port: 70000 }');

    expect(await exited).toBe(1);
    expect(await problems).toBe(
      'gateway: gateway.yaml has 2 problems\n  listen.port: must be at most 65535\n  limits.maxDept: there is no such key\n',
    );
    await end();
  });
});
