import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { startExampleServer, type ExampleServer } from '../testing/example-server.ts';
import { executorNames } from '../testing/executors.ts';

describe.each(executorNames)('multipart responses, by the executor of %s', (executor) => {
  let server: ExampleServer;
  beforeEach(async () => {
    server = await startExampleServer({ GATEWAY_EXECUTOR: executor, GRAPHQL_RECHECK_MS: '50' });
  });
  afterEach(() => server.stop());

  const untilLive = (count: number) => expect.poll(() => server.seen.live).toBe(count);
  const bearer = { authorization: 'Bearer customer' };

  function follow(text: string, headers: Record<string, string> = {}) {
    const client = new ApolloClient({ cache: new InMemoryCache(), link: new HttpLink({ uri: server.url, headers }) });
    const results: unknown[] = [];
    const errors: string[] = [];
    const ended = Promise.withResolvers<unknown>();
    const subscription = client.subscribe({ query: gql(text), errorPolicy: 'all', fetchPolicy: 'no-cache' }).subscribe({
      next({ data, error }) {
        if (data) results.push(data);
        if (error) errors.push(JSON.stringify(error));
      },
      error: ended.resolve,
      complete: () => ended.resolve('complete'),
    });
    return { results, errors, ended: ended.promise, leave: () => subscription.unsubscribe() };
  }

  describe('subscriptions over HTTP, for Apollo Client', () => {
    it('bring events, with fields of another subgraph', async () => {
      const { results } = follow('subscription { everyOrder { no buyer { name } } }');
      await untilLive(1);

      server.publish('A1');
      server.publish('A2');

      await expect
        .poll(() => results)
        .toMatchObject([
          { everyOrder: { no: 'A1', buyer: { name: 'Aminah' } } },
          { everyOrder: { no: 'A2', buyer: { name: 'Aminah' } } },
        ]);
    });

    it('release the shop when the client leaves', async () => {
      const { leave } = follow('subscription { everyOrder { no } }');
      await untilLive(1);

      leave();

      await expect.poll(() => server.seen.live).toBe(0);
    });

    it('say what is wrong with the subscription', async () => {
      const { errors, ended } = follow('subscription { closedShop { no } }');

      await ended;
      expect(errors.join()).toContain('SHOP_CLOSED');
    });

    it('end with an error when the token is revoked', async () => {
      const { errors, ended } = follow('subscription { everyOrder { no } }', bearer);
      await untilLive(1);

      server.revoke();

      const end = await ended;
      expect(`${errors.join()} ${JSON.stringify(end)}`).toContain('TOKEN_REVOKED');
      await untilLive(0);
    });
  });

  describe('a multipart response', () => {
    const accept = 'multipart/mixed;boundary="graphql";subscriptionSpec=1.0,application/json';
    const send = (query: string, headers: Record<string, string> = {}) =>
      fetch(server.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept, ...headers },
        body: JSON.stringify({ query }),
      });

    it('has one part for the result of a query', async () => {
      const response = await send('{ order(no: 3) { no } }');

      expect(response.headers.get('content-type')).toBe('multipart/mixed; boundary="graphql"; subscriptionSpec=1.0');
      expect(await response.text()).toBe(
        '\r\n--graphql\r\ncontent-type: application/json\r\n\r\n{"payload":{"data":{"order":{"no":"3"}}}}\r\n--graphql--\r\n',
      );
    });

    it.each([
      ['an invalid token', { authorization: 'Bearer stale' }, 401],
      ['a foreign page', { origin: 'https://evil.example' }, 403],
      ['no preflight', { 'content-type': 'text/plain' }, 415],
    ])('is not given to %s', async (_whom, headers, status) => {
      expect((await send('subscription { everyOrder { no } }', headers)).status).toBe(status);
    });
  });
});
