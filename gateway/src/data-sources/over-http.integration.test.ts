import { beforeEach, describe, expect, it } from 'vitest';

import { executorNames } from '../testing/executors.ts';
import { gatewayOverRemoteShops, reasonsOf } from '../testing/gateway-over-remote-shops.ts';

const users = '{ me { name } }';
type Response_ = { writeHead(status: number): Response_; end(text: string): unknown };

/** Short only where nothing is answered: a machine that pauses must not be too late otherwise. */
const timeFor = (reason: string) => (reason === 'SUBGRAPH_TIMEOUT' ? '2000' : '30000');

describe.each(executorNames)('over HTTP, by the executor of %s', (executor) => {
  const { ask, at, open } = gatewayOverRemoteShops({ GATEWAY_EXECUTOR: executor });

  describe('a gateway whose subgraph fails', () => {
    it('retries a query once', async () => {
      await open();
      let failures = 1;
      at('users').misbehave = (response) => {
        if (failures-- <= 0) return false;
        response.destroy();
        return true;
      };

      expect(await ask(users)).toEqual({ data: { me: { name: 'Aminah' } } });
      expect(at('users').requests).toHaveLength(2);
    });

    describe('calls a subgraph that hangs up', () => {
      beforeEach(() => {
        at('users').misbehave = (response) => {
          response.destroy();
          return true;
        };
      });

      it('once for a mutation, which may have been carried out', async () => {
        await open();

        expect(reasonsOf(await ask('mutation { befriend(id: "2") { name } }'))).toEqual(['SUBGRAPH_UNAVAILABLE']);
        expect(at('users').requests).toHaveLength(1);
      });

      it('within the budget for retries', async () => {
        await open({ SUBGRAPH_RETRY_SHARE: '0.01', SUBGRAPH_BREAKER_FAILURES: '1000' });

        for (let at = 0; at < 15; at += 1) expect(reasonsOf(await ask(users))).toEqual(['SUBGRAPH_UNAVAILABLE']);

        expect(at('users').requests).toHaveLength(15 + 10); // that many unused retries are saved
      });

      it('once when there is no budget', async () => {
        await open({ SUBGRAPH_RETRY_SHARE: '0' });

        expect(reasonsOf(await ask(users))).toEqual(['SUBGRAPH_UNAVAILABLE']);
        expect(at('users').requests).toHaveLength(1);
      });
    });

    describe('says what became of a change', () => {
      const befriend = 'mutation { befriend(id: "2") { name } }';
      const outcomesOf = ({ errors }: Awaited<ReturnType<typeof ask>>) =>
        errors?.map(({ extensions: { reason, outcome } }) => [reason, outcome]);

      it.each([
        ['hangs up', (response: { destroy(): void }) => response.destroy(), 'SUBGRAPH_UNAVAILABLE'],
        ['answers a page', (response: Response_) => response.writeHead(502).end('<html>'), 'SUBGRAPH_UNAVAILABLE'],
        ['fails', (response: Response_) => response.writeHead(500).end('<html>'), 'SUBGRAPH_UNAVAILABLE'],
        ['answers half', (response: Response_) => response.end('{"data":{"bef'), 'SUBGRAPH_UNAVAILABLE'],
        ['answers other JSON', (response: Response_) => response.end('{"status":"ok"}'), 'SUBGRAPH_UNAVAILABLE'],
        ['answers too much', (response: Response_) => response.end(`"${'x'.repeat(200_000)}"`), 'SUBGRAPH_UNAVAILABLE'],
        ['does not answer', () => undefined, 'SUBGRAPH_TIMEOUT'],
      ])('of a mutation whose subgraph %s: it is unknown', async (_what, misbehave, reason) => {
        await open({ SUBGRAPH_TIMEOUT_MS: timeFor(reason), SUBGRAPH_MAX_ANSWER_BYTES: '100000' });
        at('users').misbehave = (response) => {
          misbehave(response);
          return true;
        };

        expect(outcomesOf(await ask(befriend))).toEqual([[reason, 'UNKNOWN']]);
      });

      it('of one that never left the gateway: nothing', async () => {
        await open({ SUBGRAPH_BREAKER_FAILURES: '1', SUBGRAPH_BREAKER_MS: '60000' });
        await at('users').die();

        const refusedAndNotTried = [await ask(befriend), await ask(befriend)];

        const nothing = [['SUBGRAPH_UNAVAILABLE', undefined]];
        expect(refusedAndNotTried.map(outcomesOf)).toEqual([nothing, nothing]);
      });

      it('of one that was refused unread: nothing', async () => {
        await open();
        at('users').misbehave = (response) => {
          response.writeHead(429).end('no');
          return true;
        };

        expect(outcomesOf(await ask(befriend))).toEqual([['SUBGRAPH_UNAVAILABLE', undefined]]);
      });

      it('of one that was made, though another subgraph can not add to the answer: it is done', async () => {
        await open();
        await at('reviews').die();

        const answer = await ask('mutation { befriend(id: "2") { name reviews { id } } }');

        expect(outcomesOf(answer)).toEqual([['SUBGRAPH_UNAVAILABLE', 'DONE']]);
      });
    });

    it.each([
      ['hangs up', (response: { destroy(): void }) => response.destroy(), 'SUBGRAPH_UNAVAILABLE'],
      ['answers a page', (response: Response_) => response.writeHead(502).end('<html>'), 'SUBGRAPH_UNAVAILABLE'],
      ['answers half', (response: Response_) => response.end('{"data":{"me"'), 'SUBGRAPH_UNAVAILABLE'],
      ['answers other JSON', (response: Response_) => response.end('{"message":"later"}'), 'SUBGRAPH_UNAVAILABLE'],
      ['answers too much', (response: Response_) => response.end(`"${'x'.repeat(200_000)}"`), 'SUBGRAPH_UNAVAILABLE'],
      ['does not answer', () => undefined, 'SUBGRAPH_TIMEOUT'],
    ])('reports an error when a subgraph %s, and answers the rest', async (_what, misbehave, reason) => {
      await open({ SUBGRAPH_TIMEOUT_MS: timeFor(reason), SUBGRAPH_MAX_ANSWER_BYTES: '100000' });
      at('users').misbehave = (response) => {
        misbehave(response);
        return true;
      };

      const answer = await ask('{ me { name } products { upc } }');

      expect(reasonsOf(answer)).toEqual([reason]);
      expect(answer.data).toMatchObject({ me: null, products: [{ upc: '1' }, { upc: '2' }, { upc: '3' }] });
    });

    it('stops calling a dead subgraph after a while, and calls it again when it is back', async () => {
      await open({ SUBGRAPH_BREAKER_FAILURES: '3' });
      await at('users').die();
      for (let at = 0; at < 5; at += 1) expect(reasonsOf(await ask(users))).toEqual(['SUBGRAPH_UNAVAILABLE']);
      expect((await ask('{ products { upc } }')).errors).toBeUndefined();

      await at('users').rise();

      await expect.poll(() => ask(users), { timeout: 5_000 }).toEqual({ data: { me: { name: 'Aminah' } } });
    });

    it.each([
      ['is refused', (response: Response_) => response.writeHead(401).end('no')],
      ['is too large for it', (response: Response_) => response.writeHead(413).end('no')],
      ['comes too often for it', (response: Response_) => response.writeHead(429).end('no')],
      ['it fails to understand', (response: Response_) => response.writeHead(500).end('<html>')],
      ['has too long an answer', (response: Response_) => response.end(`"${'x'.repeat(200_000)}"`)],
    ])('sends a request once that %s, and keeps sending others', async (_what, misbehave) => {
      await open({ SUBGRAPH_BREAKER_FAILURES: '2', SUBGRAPH_BREAKER_MS: '60000', SUBGRAPH_MAX_ANSWER_BYTES: '100000' });
      at('users').misbehave = (response) => {
        misbehave(response);
        return true;
      };
      for (let at = 0; at < 3; at += 1) expect(reasonsOf(await ask(users))).toEqual(['SUBGRAPH_UNAVAILABLE']);
      expect(at('users').requests).toHaveLength(3);

      at('users').misbehave = undefined;

      expect(await ask(users)).toEqual({ data: { me: { name: 'Aminah' } } });
    });

    it.each([
      ['hangs up', (response: { destroy(): void }) => response.destroy()],
      ['answers a page', (response: Response_) => response.writeHead(503).end('<html>')],
      ['answers half', (response: Response_) => response.end('{"data":{"me"')],
      ['answers what is no GraphQL', (response: Response_) => response.end('[]')],
      ['does not answer', () => undefined],
    ])('stops calling a subgraph that %s', async (_what, misbehave) => {
      await open({
        SUBGRAPH_TIMEOUT_MS: '200',
        SUBGRAPH_RETRY_SHARE: '0',
        SUBGRAPH_BREAKER_FAILURES: '2',
        SUBGRAPH_BREAKER_MS: '60000',
      });
      at('users').misbehave = (response) => {
        misbehave(response);
        return true;
      };

      for (let at = 0; at < 4; at += 1) expect(await ask(users)).toMatchObject({ data: { me: null } });

      expect(at('users').requests).toHaveLength(2);
    });

    it('keeps no client waiting while it probes whether a hung subgraph is back', async () => {
      await open({ SUBGRAPH_TIMEOUT_MS: '2000', SUBGRAPH_BREAKER_FAILURES: '1', SUBGRAPH_BREAKER_MS: '1' });
      at('users').misbehave = () => true;
      expect(reasonsOf(await ask(users))).toEqual(['SUBGRAPH_TIMEOUT']);
      const trial = ask(users).then(() => 'the trial');
      await expect.poll(() => at('users').requests).toHaveLength(2);

      const other = ask('{ me { strict } }');

      expect(await Promise.race([trial, other.then(reasonsOf)])).toEqual(['SUBGRAPH_UNAVAILABLE']);
      expect(await trial).toBe('the trial');
    });

    describe('does not count a subgraph as hung because clients leave early', () => {
      const hang = async (env: Record<string, string>) => {
        await open({ SUBGRAPH_TIMEOUT_MS: '1000', SUBGRAPH_BREAKER_FAILURES: '2', ...env });
        at('users').misbehave = () => true;
      };
      /** False when the answer came without the subgraph. */
      async function askAndLeave() {
        const [reached, hungUp] = [Promise.withResolvers<boolean>(), Promise.withResolvers<void>()];
        at('users').misbehave = (response) => {
          response.once('close', hungUp.resolve);
          reached.resolve(true);
          return true;
        };
        const leaving = new AbortController();
        const asking = ask(users, {}, leaving.signal).catch(() => undefined);
        if (!(await Promise.race([reached.promise, asking.then(() => false)]))) return false;
        leaving.abort();
        await Promise.all([asking, hungUp.promise]);
        return true;
      }

      it('and still stops calling it', async () => {
        await hang({ SUBGRAPH_BREAKER_MS: '60000' });

        expect(reasonsOf(await ask(users))).toEqual(['SUBGRAPH_TIMEOUT']);
        expect(await askAndLeave()).toBe(true);
        expect(reasonsOf(await ask(users))).toEqual(['SUBGRAPH_TIMEOUT']);

        expect(reasonsOf(await ask(users))).toEqual(['SUBGRAPH_UNAVAILABLE']);
      });

      it('nor as back, when a client leaves during the probe', async () => {
        await hang({ SUBGRAPH_BREAKER_MS: '2000' });
        for (let at = 0; at < 2; at += 1) expect(reasonsOf(await ask(users))).toEqual(['SUBGRAPH_TIMEOUT']);
        await expect.poll(askAndLeave, { timeout: 10_000, interval: 100 }).toBe(true);

        expect(reasonsOf(await ask(users))).toEqual(['SUBGRAPH_UNAVAILABLE']);
      });
    });
  });
});
