import { createHash } from 'node:crypto';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { startExampleServer, type ExampleServer } from '../testing/example-server.ts';
import { executorNames } from '../testing/executors.ts';
import { aClient, watch } from '../testing/ws-clients.ts';

describe.each(executorNames)('slow operations, by the executor of %s', (executor) => {
  let server: ExampleServer;
  const told = () => server.seen.log.filter(({ msg }) => msg === 'slow operation');
  const anyMs = expect.any(Number);

  describe('an operation that took longer than SLOW_OPERATION_MS', () => {
    beforeEach(async () => {
      server = await startExampleServer({ GATEWAY_EXECUTOR: executor, SLOW_OPERATION_MS: '1' });
    });
    afterEach(() => server.stop());

    const document = `query Slow($day: Date!) {
    me { late } user(id: "typed-4711") { name } bornOn(day: $day) { name } order(no: 1) { buyer { name } }
  }`;
    const ask = () =>
      server.post(document, { variables: { day: 'typed-1990' }, headers: { authorization: 'Bearer customer' } });

    it('is one line that names the operation, the caller, and where the time went', async () => {
      await ask();

      expect(told()).toEqual([
        {
          level: 40,
          time: anyMs,
          requestId: expect.any(String),
          msg: 'slow operation',
          operation: 'Slow',
          type: 'query',
          document: createHash('sha256').update(document).digest('hex'),
          ms: anyMs,
          fetches: [
            { subgraph: expect.stringMatching(/^(?:people|shop)$/), ms: anyMs },
            { subgraph: expect.stringMatching(/^(?:people|shop)$/), ms: anyMs },
            { subgraph: 'people', ms: anyMs },
          ],
          cost: anyMs,
          viewer: 'customer',
        },
      ]);
      const [line] = told() as { fetches?: { ms: number }[] }[];
      expect(line?.fetches?.some(({ ms }) => ms > 0)).toBe(true);
    });

    it('is logged without any user input', async () => {
      await ask();

      expect(JSON.stringify(told())).not.toContain('typed');
    });

    it('is not logged when it is a refused login, which is delayed on purpose', async () => {
      const { body } = await server.post('mutation { refuseLate { id } }');

      expect(body.errors?.[0]?.extensions['code']).toBe('UNAUTHENTICATED');
      expect(told()).toEqual([]);
    });

    it('is logged over WebSocket, too, and so is each slow event', async () => {
      const { results } = watch(aClient(server.wsUrl), 'subscription Following { everyOrder { buyer { late } } }');
      await expect.poll(() => server.seen.live).toBe(1);

      server.publish('A1');
      await expect.poll(() => results).toHaveLength(1);
      server.publish('A2');
      await expect.poll(() => results).toHaveLength(2);

      expect(told()).toMatchObject([
        { operation: 'Following', type: 'subscription', viewer: 'nobody', fetches: [{}, { subgraph: 'people' }] },
        { operation: 'Following', type: 'subscription' },
      ]);
    });
  });

  describe('an operation', () => {
    afterEach(() => server.stop());

    it.each([
      ['is not told of while it is quick enough', {}],
      ['is never told of when SLOW_OPERATION_MS is 0', { SLOW_OPERATION_MS: '0' }],
    ])('%s', async (_what, env) => {
      server = await startExampleServer({ GATEWAY_EXECUTOR: executor, ...env });

      await server.post('{ user(id: 1) { late } }');

      expect(told()).toEqual([]);
    });
  });
});
