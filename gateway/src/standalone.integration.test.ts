import { rename, writeFile } from 'node:fs/promises';

import { describe, expect, it } from 'vitest';

import { gatewayOverRemoteShops } from './testing/gateway-over-remote-shops.ts';
import { supergraphAt } from './testing/shops.ts';

const { addresses, ask, at, log, open, streamUrl } = gatewayOverRemoteShops();

const users = '{ me { name } }';
const joined = '{ products { upc reviews { author { name } } } }';

describe('a gateway over any supergraph', () => {
  it('joins the answers of the subgraphs at the addresses of the supergraph', async () => {
    await open();

    const { data, errors } = await ask('{ lastReview { stars author { name } } me { greeting } }');

    expect(errors).toBeUndefined();
    expect(data).toEqual({ lastReview: { stars: 4, author: { name: 'Bala' } }, me: { greeting: 'Hello Aminah' } });
  });

  it('serves its health and its metrics', async () => {
    await open();
    const at = (path: string) => fetch(new URL(path, streamUrl().replace('ws', 'http')));

    expect(await (await at('/health/live')).json()).toEqual({ status: 'ok' });
    expect(await (await at('/health/ready')).json()).toEqual({ status: 'ok', checks: {} });
    expect(await (await at('/metrics')).text()).toContain('foyer_graphql_');
  });

  it('sends one request for equal queries at once, and separate ones where the answers may differ', async () => {
    await open({ FORWARD_HEADERS: 'authorization' });
    at('users').delayMs = 100;

    const same = await Promise.all(Array.from({ length: 20 }, () => ask(users)));
    expect(new Set(same.map((answer) => JSON.stringify(answer)))).toHaveLength(1);
    expect(at('users').requests).toHaveLength(1);

    at('users').requests.length = 0;
    await Promise.all(['a', 'b', 'a', ''].map((who) => ask(users, who ? { authorization: who } : {})));
    expect(
      at('users')
        .requests.map(({ headers }) => headers.authorization ?? 'nobody')
        .toSorted((one, other) => one.localeCompare(other)),
    ).toEqual(['a', 'b', 'nobody']);
  });

  it('forwards the configured headers, the request id, and no others', async () => {
    await open({ FORWARD_HEADERS: 'X-Tenant' });

    await ask(users, { 'x-tenant': 'acme', authorization: 'Bearer x', cookie: 'a=b' });

    const [{ headers } = { headers: {} }] = at('users').requests;
    expect(headers).toMatchObject({ 'x-tenant': 'acme', 'x-request-id': expect.any(String) });
    expect(headers).not.toHaveProperty('authorization');
    expect(headers).not.toHaveProperty('cookie');
  });

  it('sends an entity once, however often it occurs', async () => {
    await open();

    await ask(joined);

    expect(at('users').requests[0]?.variables['representations']).toHaveLength(2);
  });

  it('answers a query after a change with the new state, in every subgraph, and not with an earlier answer', async () => {
    await open();
    at('products').delayMs = 500;
    const before = ask('{ products { upc } }');
    await expect.poll(() => at('products').requests).toHaveLength(1);
    at('products').delayMs = 0;

    await ask('mutation { befriend(id: "2") { name } }');
    const after = ask('{ products { upc } }');

    expect(await Promise.all([before, after])).toMatchObject([{ data: { products: {} } }, { data: { products: {} } }]);
    expect(at('products').requests).toHaveLength(2);
  });

  it('treats null errors as none', async () => {
    await open();
    at('users').misbehave = (response) => {
      response.end('{"data":{"me":{"name":"Siti"}},"errors":null}');
      return true;
    };

    expect(await ask(users)).toEqual({ data: { me: { name: 'Siti' } } });
  });

  it.each([
    ['masked', 'INTERNAL_SERVER_ERROR'],
    ['shown', 'DOWNSTREAM_SERVICE_ERROR'],
  ])('shows errors of subgraphs %s', async (errors, code) => {
    await open({ SUBGRAPH_ERRORS: errors });

    const answer = await ask('{ me { failing } }');

    expect(answer.errors).toMatchObject([{ path: ['me', 'failing'], extensions: { code } }]);
  });
});

describe('another supergraph in the file', () => {
  it('is served without losing or mixing a request', async () => {
    const { file } = await open();
    const replace = async (sdl: string) => {
      await writeFile(`${file}.new`, sdl);
      await rename(`${file}.new`, file);
    };
    const others = [supergraphAt(addresses(), { without: 'rating: Float' }), supergraphAt(addresses())];
    const over = new AbortController();
    const answers = new Set<string>();
    const asking = Promise.all(
      Array.from({ length: 4 }, async () => {
        while (!over.signal.aborted) answers.add(JSON.stringify(await ask(joined)));
      }),
    );

    for (const sdl of others) {
      await replace(sdl);
      const known = sdl.includes('rating');
      const rating = () => ask('{ products { rating } }').then(({ errors }) => errors === undefined);
      await expect.poll(rating, { timeout: 5_000 }).toBe(known);
    }
    over.abort();
    await asking;

    expect([...answers]).toHaveLength(1);
    expect([...answers][0]).not.toContain('errors');
  });

  it('that appears during the start is served, too', async () => {
    await open({}, { inFile: supergraphAt(addresses(), { without: 'rating: Float' }) });

    await expect.poll(async () => (await ask('{ products { rating } }')).errors, { timeout: 5_000 }).toHaveLength(1);
  });

  it('that is invalid leaves the last one in place', async () => {
    const { file } = await open();
    await writeFile(file, 'type Query {');
    const lines = () => log.map(({ msg }) => msg);
    await expect.poll(lines, { timeout: 5_000 }).toContain('the supergraph can not be used');

    expect(await ask(users)).toEqual({ data: { me: { name: 'Aminah' } } });
  });
});
