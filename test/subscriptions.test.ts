import { once } from 'node:events';

import { ApolloClient, gql, InMemoryCache } from '@apollo/client/core';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { createClient } from 'graphql-ws';
import { beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';

import { placeOrder, payAtTheBank } from './support/servers/bank.ts';
import type { Json } from './support/json.ts';
import { logInCustomer } from './support/fixtures/people.ts';
import { sharedServer, type SharedServer } from './support/servers/shared-server.ts';

let server: SharedServer;

beforeAll(async () => {
  server = await sharedServer();
});

const follow = `subscription ($orderNo: String!, $email: String) {
  orderStatusChanged(orderNo: $orderNo, email: $email) {
    orderNo
    state: transactionStatus
    ticketGroup { groupNameEn organization { name } }
  }
}`;

const connect = (connectionParams: Record<string, string> = {}) =>
  createClient({
    url: `${server.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    connectionParams,
  });

describe('an upgrade to a WebSocket', () => {
  it('at a path without a WebSocket is answered as an ordinary request', async () => {
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}/no/such/path`);
    const [, { statusCode }] = (await once(
      socket.on('error', () => {}),
      'unexpected-response',
    )) as [unknown, { statusCode: number }];
    socket.terminate();
    expect(statusCode).toBe(404);
  });
});

describe('following an order over graphql-transport-ws', () => {
  it('reports each state to its customer, with fields of another subgraph, until it is paid', async () => {
    const customer = await logInCustomer(server);
    const order = await placeOrder(server, customer);
    const client = connect({ authorization: `Bearer ${customer.token}` });

    const states: string[] = [];
    let organization = '';
    for await (const { data, errors } of client.iterate<Json>({
      query: follow,
      variables: { orderNo: order.orderNo },
    })) {
      expect(errors).toBeUndefined();
      states.push(data.orderStatusChanged.state);
      organization = data.orderStatusChanged.ticketGroup.organization.name;
      if (states.length === 1) await payAtTheBank(server, order.orderNo);
    }
    await client.dispose();

    expect(states.filter((state) => state !== 'PENDING')).toEqual(['INITIATED', 'SUCCESS']); // two changes may be one event
    expect(organization).toContain('Acme');
  });

  it('works for a guest who knows order number and e-mail, and for nobody else', async () => {
    const customer = await logInCustomer(server);
    const order = await placeOrder(server, customer, { buyerEmail: 'guest@example.test' });
    const client = connect();
    const first = async (variables: object) => {
      const results = client.iterate<Json>({ query: follow, variables: { orderNo: order.orderNo, ...variables } });
      const { value } = await results.next();
      await results.return?.();
      return value;
    };

    expect((await first({ email: 'Guest@Example.test' })).data.orderStatusChanged.state).toBe('INITIATED');
    expect((await first({ email: 'other@example.test' })).errors[0].extensions.reason).toBe('ORDER_NOT_FOUND');
    expect((await first({})).errors[0].extensions.reason).toBe('UNAUTHENTICATED');
    await client.dispose();
  });

  it('works for Apollo Client', async () => {
    const customer = await logInCustomer(server);
    const order = await placeOrder(server, customer);
    const client = new ApolloClient({
      cache: new InMemoryCache(),
      link: new GraphQLWsLink(connect({ authorization: `Bearer ${customer.token}` })),
    });

    const states: string[] = [];
    await new Promise<void>((resolve, reject) => {
      client.subscribe<Json>({ query: gql(follow), variables: { orderNo: order.orderNo } }).subscribe({
        next({ data }) {
          states.push(data.orderStatusChanged.state);
          if (states.length === 1) payAtTheBank(server, order.orderNo).catch(reject);
        },
        error: reject,
        complete: resolve,
      });
    });
    expect(states.filter((state) => state !== 'PENDING')).toEqual(['INITIATED', 'SUCCESS']); // two changes may be one event
  });
});
