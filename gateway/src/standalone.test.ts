import { rename, writeFile } from 'node:fs/promises';

import { beforeEach, describe, expect, it, vi } from 'vitest';

import { gatewayOverRemoteShops, type Answer } from './testing/gateway-over-remote-shops.ts';
import { supergraphAt } from './testing/shops.ts';

const { addresses, ask, at, log, open } = gatewayOverRemoteShops();

const reasons = ({ errors }: Answer) => errors?.map(({ extensions }) => extensions['reason']);
const users = '{ me { name } }';
const joined = '{ products { upc reviews { author { name } } } }';

describe('a gateway over any supergraph', () => {
  it('joins what its subgraphs answer at the addresses of the supergraph', async () => {
    await open();

    const { data, errors } = await ask('{ lastReview { stars author { name } } me { greeting } }');

    expect(errors).toBeUndefined();
    expect(data).toEqual({ lastReview: { stars: 4, author: { name: 'Bala' } }, me: { greeting: 'Hello Aminah' } });
  });

  it('asks once for all who ask the same at once, and apart for those whose answer may be another', async () => {
    await open({ FORWARD_HEADERS: 'authorization' });
    at('users').delayMs = 100;

    const same = await Promise.all(Array.from({ length: 20 }, () => ask(users)));
    expect(new Set(same.map((answer) => JSON.stringify(answer)))).toHaveLength(1);
    expect(at('users').asked).toHaveLength(1);

    at('users').asked.length = 0;
    await Promise.all(['a', 'b', 'a', ''].map((who) => ask(users, who ? { authorization: who } : {})));
    expect(
      at('users')
        .asked.map(({ headers }) => headers.authorization ?? 'nobody')
        .toSorted((one, other) => one.localeCompare(other)),
    ).toEqual(['a', 'b', 'nobody']);
  });

  it('passes on the headers that are declared, the request id, and no others', async () => {
    await open({ FORWARD_HEADERS: 'X-Tenant' });

    await ask(users, { 'x-tenant': 'acme', authorization: 'Bearer x', cookie: 'a=b' });

    const [{ headers } = { headers: {} }] = at('users').asked;
    expect(headers).toMatchObject({ 'x-tenant': 'acme', 'x-request-id': expect.any(String) });
    expect(headers).not.toHaveProperty('authorization');
    expect(headers).not.toHaveProperty('cookie');
  });

  it('names an entity once, however often it occurs', async () => {
    await open();

    await ask(joined);

    expect(at('users').asked[0]?.variables['representations']).toHaveLength(2);
  });

  it('answers who asks after a change with what is so since then, in every subgraph, not with what was asked before', async () => {
    await open();
    at('products').delayMs = 500;
    const before = ask('{ products { upc } }');
    await vi.waitFor(() => expect(at('products').asked).toHaveLength(1));
    at('products').delayMs = 0;

    await ask('mutation { befriend(id: "2") { name } }');
    const after = ask('{ products { upc } }');

    expect(await Promise.all([before, after])).toMatchObject([{ data: { products: {} } }, { data: { products: {} } }]);
    expect(at('products').asked).toHaveLength(2);
  });

  it('takes errors that are null for none', async () => {
    await open();
    at('users').misbehave = (response) => {
      response.end('{"data":{"me":{"name":"Siti"}},"errors":null}');
      return true;
    };

    expect(await ask(users)).toEqual({ data: { me: { name: 'Siti' } } });
  });

  it('tries a query once more', async () => {
    await open();
    let failures = 1;
    at('users').misbehave = (response) => {
      if (failures-- <= 0) return false;
      response.destroy();
      return true;
    };

    expect(await ask(users)).toEqual({ data: { me: { name: 'Aminah' } } });
    expect(at('users').asked).toHaveLength(2);
  });

  describe('asks a subgraph that hangs up', () => {
    beforeEach(() => {
      at('users').misbehave = (response) => {
        response.destroy();
        return true;
      };
    });

    it('for no mutation a second time: it may have been carried out', async () => {
      await open();

      expect(reasons(await ask('mutation { befriend(id: "2") { name } }'))).toEqual(['SUBGRAPH_UNAVAILABLE']);
      expect(at('users').asked).toHaveLength(1);
    });

    it('no more often than the budget for retries allows', async () => {
      await open({ SUBGRAPH_RETRY_SHARE: '0.01', SUBGRAPH_BREAKER_FAILURES: '1000' });

      for (let at = 0; at < 15; at += 1) expect(reasons(await ask(users))).toEqual(['SUBGRAPH_UNAVAILABLE']);

      expect(at('users').asked).toHaveLength(15 + 10); // that many are saved for bad moments
    });

    it('once where there is no budget', async () => {
      await open({ SUBGRAPH_RETRY_SHARE: '0' });

      expect(reasons(await ask(users))).toEqual(['SUBGRAPH_UNAVAILABLE']);
      expect(at('users').asked).toHaveLength(1);
    });
  });

  it.each([
    ['hangs up', (response: { destroy(): void }) => response.destroy(), 'SUBGRAPH_UNAVAILABLE'],
    ['answers a page', (response: Response_) => response.writeHead(502).end('<html>'), 'SUBGRAPH_UNAVAILABLE'],
    ['answers half', (response: Response_) => response.end('{"data":{"me"'), 'SUBGRAPH_UNAVAILABLE'],
    ['answers too much', (response: Response_) => response.end(`"${'x'.repeat(200_000)}"`), 'SUBGRAPH_UNAVAILABLE'],
    ['does not answer', () => undefined, 'SUBGRAPH_TIMEOUT'],
  ])('says so when a subgraph %s, and answers the rest', async (_what, misbehave, reason) => {
    await open({ SUBGRAPH_TIMEOUT_MS: '200', SUBGRAPH_MAX_ANSWER_BYTES: '100000' });
    at('users').misbehave = (response) => {
      misbehave(response);
      return true;
    };

    const answer = await ask('{ me { name } products { upc } }');

    expect(reasons(answer)).toEqual([reason]);
    expect(answer.data).toMatchObject({ me: null, products: [{ upc: '1' }, { upc: '2' }, { upc: '3' }] });
  });

  it('leaves a dead subgraph alone after a while, and finds it again when it is back', async () => {
    await open({ SUBGRAPH_BREAKER_FAILURES: '3' });
    await at('users').die();
    for (let at = 0; at < 5; at += 1) expect(reasons(await ask(users))).toEqual(['SUBGRAPH_UNAVAILABLE']);
    expect((await ask('{ products { upc } }')).errors).toBeUndefined();

    await at('users').rise();

    await vi.waitFor(async () => expect(await ask(users)).toEqual({ data: { me: { name: 'Aminah' } } }), 5_000);
  });

  it.each([
    ['is refused', (response: Response_) => response.writeHead(401).end('no')],
    ['has too long an answer', (response: Response_) => response.end(`"${'x'.repeat(200_000)}"`)],
  ])('asks once for what %s, and goes on asking for the rest', async (_what, misbehave) => {
    await open({ SUBGRAPH_BREAKER_FAILURES: '2', SUBGRAPH_BREAKER_MS: '60000', SUBGRAPH_MAX_ANSWER_BYTES: '100000' });
    at('users').misbehave = (response) => {
      misbehave(response);
      return true;
    };
    for (let at = 0; at < 3; at += 1) expect(reasons(await ask(users))).toEqual(['SUBGRAPH_UNAVAILABLE']);
    expect(at('users').asked).toHaveLength(3);

    at('users').misbehave = undefined;

    expect(await ask(users)).toEqual({ data: { me: { name: 'Aminah' } } });
  });

  it('lets nobody wait while it finds out whether a hung subgraph is back', async () => {
    await open({ SUBGRAPH_TIMEOUT_MS: '2000', SUBGRAPH_BREAKER_FAILURES: '1', SUBGRAPH_BREAKER_MS: '100' });
    at('users').misbehave = () => true;
    expect(reasons(await ask(users))).toEqual(['SUBGRAPH_TIMEOUT']);
    await new Promise((resolve) => void setTimeout(resolve, 150));
    const trial = ask(users).then(() => 'the trial');
    await vi.waitFor(() => expect(at('users').asked).toHaveLength(2));

    const other = ask('{ me { strict } }');

    expect(await Promise.race([trial, other.then(reasons)])).toEqual(['SUBGRAPH_UNAVAILABLE']);
    expect(await trial).toBe('the trial');
  });

  describe('learns nothing of a hung subgraph from clients that lose patience', () => {
    const hang = async (env: Record<string, string>) => {
      await open({ SUBGRAPH_TIMEOUT_MS: '1000', SUBGRAPH_BREAKER_FAILURES: '2', ...env });
      at('users').misbehave = () => true;
    };
    async function askAndLeave() {
      const hungUp = Promise.withResolvers<void>();
      at('users').misbehave = (response) => {
        response.once('close', hungUp.resolve);
        return true;
      };
      const leaving = new AbortController();
      const before = at('users').asked.length;
      const asking = ask(users, {}, leaving.signal).catch(() => undefined);
      await vi.waitFor(() => expect(at('users').asked).toHaveLength(before + 1));
      leaving.abort();
      await Promise.all([asking, hungUp.promise]);
    }

    it('and leaves it alone all the same', async () => {
      await hang({ SUBGRAPH_BREAKER_MS: '60000' });

      expect(reasons(await ask(users))).toEqual(['SUBGRAPH_TIMEOUT']);
      await askAndLeave();
      expect(reasons(await ask(users))).toEqual(['SUBGRAPH_TIMEOUT']);

      expect(reasons(await ask(users))).toEqual(['SUBGRAPH_UNAVAILABLE']);
    });

    it('nor that it is back, from one that left while this was to be found out', async () => {
      await hang({ SUBGRAPH_BREAKER_MS: '2000' });
      for (let at = 0; at < 2; at += 1) expect(reasons(await ask(users))).toEqual(['SUBGRAPH_TIMEOUT']);
      await vi.waitFor(askAndLeave, { timeout: 10_000, interval: 100 });

      expect(reasons(await ask(users))).toEqual(['SUBGRAPH_UNAVAILABLE']);
    });
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

type Response_ = { writeHead(status: number): Response_; end(text: string): unknown };

describe('another supergraph in the file', () => {
  it('is served without one request lost or torn', async () => {
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
      await vi.waitFor(async () => expect(await rating()).toBe(known), 5_000);
    }
    over.abort();
    await asking;

    expect([...answers]).toHaveLength(1);
    expect([...answers][0]).not.toContain('errors');
  });

  it('that came while the gateway started is served too', async () => {
    await open({}, { inFile: supergraphAt(addresses(), { without: 'rating: Float' }) });

    await vi.waitFor(async () => expect((await ask('{ products { rating } }')).errors).toHaveLength(1), 5_000);
  });

  it('that is none leaves the last one in place', async () => {
    const { file } = await open();
    await writeFile(file, 'type Query {');
    const lines = () => log.map(({ msg }) => msg);
    await vi.waitFor(() => expect(lines()).toContain('the supergraph can not be used'), 5_000);

    expect(await ask(users)).toEqual({ data: { me: { name: 'Aminah' } } });
  });
});
