import { RemoteGraphQLDataSource } from '@apollo/gateway';
import type { ApolloServerPlugin } from '@apollo/server';
import { systemClock } from '@foyer/shared/clock';
import { openLog } from '@foyer/shared/telemetry/log';
import { GraphQLSchema, parse } from 'graphql';
import { afterEach, describe, expect, it } from 'vitest';

import { createGateway, type Gateway } from '../app.ts';
import { readConfig } from '../config.ts';
import type { GatewayContext } from '../request/context.ts';
import { serveSubgraph } from '../testing/remote-shops.ts';
import { shops, supergraphAt } from '../testing/shops.ts';

const open: { gateway?: Gateway; subgraph?: { die(): Promise<unknown> } } = {};
afterEach(async () => {
  await open.gateway?.stop();
  await open.subgraph?.die();
});

const scope = () => ({
  requestId: 'rest-1',
  viewer: null,
  client: { address: '127.0.0.1', userAgent: '' },
  signal: new AbortController().signal,
  reply: { cookies: [] },
});

describe.each(['foyer', 'apollo'])(
  'what was written for @apollo/gateway and @apollo/server, by the executor of %s',
  (executor) => {
    const { users = new GraphQLSchema({}), ...local } = shops.schemas;

    async function openGateway(plugin: ApolloServerPlugin<GatewayContext> = {}) {
      const subgraph = (open.subgraph = await serveSubgraph(users));
      const sent: string[] = [];
      /** As Apollo's documentation shows it. */
      class WithRequestId extends RemoteGraphQLDataSource<GatewayContext> {
        override willSendRequest({
          request,
          context,
        }: Parameters<NonNullable<RemoteGraphQLDataSource<GatewayContext>['willSendRequest']>>[0]) {
          const { requestId } = (context as GatewayContext).scope;
          request.http?.headers.set('x-request-id', requestId);
          sent.push(`${requestId} ${request.query}`);
        }
      }
      const gateway = (open.gateway = await createGateway({
        supergraphSdl: supergraphAt({
          ...Object.fromEntries(Object.keys(local).map((name) => [name, 'http://nowhere.test'])),
          users: subgraph.url,
        }),
        subgraphs: Object.fromEntries(
          Object.entries(local).map(([name, schema]) => [name, { schema, contextFor: () => ({}) }]),
        ),
        buildService: ({ name, url }) => (name === 'users' ? new WithRequestId({ url }) : undefined),
        plugins: [plugin],
        authenticate: async () => ({ viewer: null, by: 'nothing' }),
        config: readConfig({ GATEWAY_EXECUTOR: executor }),
        log: openLog('silent'),
        clock: systemClock,
      }));
      return { gateway, sent };
    }

    it('works as a data source: its willSendRequest sees each request and its context', async () => {
      const { gateway, sent } = await openGateway();

      const { data, errors } = await gateway.execute({ document: parse('{ users { name } }') }, scope());

      expect(errors).toBeUndefined();
      expect(JSON.stringify(data)).toContain('Aminah');
      expect(sent).toEqual([expect.stringMatching(/^rest-1 .*name/)]);
    });

    it('works as a plugin: it sees operations and may refuse them', async () => {
      const seen: (string | null | undefined)[] = [];
      const { gateway } = await openGateway({
        requestDidStart: async () => ({
          didResolveOperation: async ({ operationName }) => void seen.push(operationName),
        }),
      });

      await gateway.execute({ document: parse('query Names { users { name } }') }, scope());

      expect(seen).toEqual(['Names']);
    });
  },
);
