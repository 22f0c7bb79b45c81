import { RemoteGraphQLDataSource, type GraphQLDataSourceProcessOptions } from '@apollo/gateway';
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

type Received = Parameters<NonNullable<RemoteGraphQLDataSource<GatewayContext>['didReceiveResponse']>>[0];

/** What the hooks of data sources have seen. */
const seen: unknown[] = [];

/** As Apollo's documentation shows it. */
class WithRequestId extends RemoteGraphQLDataSource<GatewayContext> {
  override willSendRequest(options: GraphQLDataSourceProcessOptions<GatewayContext>) {
    if (!('incomingRequestContext' in options)) return; // a manager of supergraphs asks
    const { request, incomingRequestContext, pathInIncomingRequest } = options;
    request.http?.headers.set('x-request-id', incomingRequestContext.context.scope.requestId);
    seen.push({ sent: request.query, at: pathInIncomingRequest });
  }

  override didReceiveResponse({ request, response, context, pathInIncomingRequest }: Received) {
    const { requestId } = context.scope;
    seen.push({ received: request.query, at: pathInIncomingRequest, requestId, status: response.http?.status });
    return {
      ...response,
      data: JSON.parse(JSON.stringify(response.data).replace('Bala', 'BALA')) as Record<string, unknown>,
    };
  }
}

describe.each(['foyer', 'apollo'])(
  'what was written for @apollo/gateway and @apollo/server, by the executor of %s',
  (executor) => {
    const { users = new GraphQLSchema({}), ...local } = shops.schemas;

    async function openGateway(plugin: ApolloServerPlugin<GatewayContext> = {}) {
      const subgraph = (open.subgraph = await serveSubgraph(users));
      seen.length = 0;
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
      return { gateway, requests: subgraph.requests };
    }

    it('works as a data source: its hooks see each request, its context and its place in the operation', async () => {
      const { gateway, requests } = await openGateway();

      const { data, errors } = await gateway.execute(
        { document: parse('{ lastReview { author { name } } users { name } }') },
        scope(),
      );

      expect(errors).toBeUndefined();
      expect(JSON.stringify(data)).toContain('Aminah');
      const [ofUsers, ofAuthor] = requests.map(({ query }) => query);
      expect(requests.map(({ headers }) => headers['x-request-id'])).toEqual(['rest-1', 'rest-1']);
      const author = ['lastReview', 'author'];
      expect(seen).toHaveLength(4);
      expect(seen).toEqual(
        expect.arrayContaining([
          { sent: ofUsers, at: [] },
          { received: ofUsers, at: [], requestId: 'rest-1', status: 200 },
          { sent: ofAuthor, at: author },
          { received: ofAuthor, at: author, requestId: 'rest-1', status: 200 },
        ]),
      );
    });

    it('works as a data source: what didReceiveResponse returns is the answer', async () => {
      const { gateway } = await openGateway();

      const { data } = await gateway.execute({ document: parse('{ users { name } }') }, scope());

      expect(JSON.stringify(data)).toContain('BALA');
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
