import { RemoteGraphQLDataSource, type GraphQLDataSourceProcessOptions } from '@apollo/gateway';
import type { ApolloServerPlugin } from '@apollo/server';
import { systemClock } from '@foyer/shared/clock';
import { openLog } from '@foyer/shared/telemetry/log';
import fastify from 'fastify';
import { GraphQLError, GraphQLSchema, parse } from 'graphql';
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

    interface Options {
      plugin?: ApolloServerPlugin<GatewayContext>;
      source?: new (options: { url: string }) => RemoteGraphQLDataSource<GatewayContext>;
      env?: Record<string, string>;
    }

    async function openGateway({ plugin = {}, source: Source, env = {} }: Options = {}) {
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
        ...(Source && { buildService: ({ name, url }) => (name === 'users' ? new Source({ url }) : undefined) }),
        authenticate: async () => ({ viewer: null, by: 'nothing' }),
        config: readConfig({ GATEWAY_EXECUTOR: executor, ...env }),
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

    describe.each<[string, Error | undefined, unknown]>([
      ['what its subgraph reports', undefined, { message: 'failed on purpose', path: ['me', 'failing'] }],
      [
        'what willSendRequest throws',
        new GraphQLError('Not now.', { extensions: { code: 'FORBIDDEN', hint: 'later' } }),
        { message: 'Not now.', extensions: { code: 'FORBIDDEN', hint: 'later' } },
      ],
      [
        'what it throws without a code',
        new GraphQLError('Oh.'),
        { message: 'Oh.', extensions: { code: 'INTERNAL_SERVER_ERROR' } },
      ],
    ])('has its errors: %s', (_which, error, shown) => {
      class Failing extends RemoteGraphQLDataSource<GatewayContext> {
        override willSendRequest() {
          if (error) throw error;
        }
      }

      it.each([
        ['masked', { message: 'Something went wrong on our side.' }],
        ['shown', shown],
      ])('%s', async (how, expected) => {
        const { gateway } = await openGateway({ source: Failing, env: { SUBGRAPH_ERRORS: how } });

        const { errors } = await gateway.execute({ document: parse('{ me { failing } }') }, scope());

        expect(errors?.map((told) => told.toJSON())).toMatchObject([expected]);
      });
    });

    it('never shows an error that is none of GraphQL', async () => {
      class Buggy extends RemoteGraphQLDataSource<GatewayContext> {
        override willSendRequest() {
          throw new TypeError('the secrets at 10.0.0.7 are gone');
        }
      }
      const { gateway } = await openGateway({ source: Buggy, env: { SUBGRAPH_ERRORS: 'shown' } });

      const { errors } = await gateway.execute({ document: parse('{ me { name } }') }, scope());

      expect(errors).toMatchObject([{ message: 'Something went wrong on our side.' }]);
    });

    it('sends the headers that the rules make for its subgraph', async () => {
      const { gateway, requests } = await openGateway({ env: { FORWARD_HEADERS: 'x-tenant' } });
      const app = fastify();
      await app.register(gateway.routes);
      const headers = { 'content-type': 'application/json', 'x-tenant': 't', 'x-other': 'o' };

      await app.inject({ method: 'POST', url: '/graphql', headers, body: { query: '{ users { name } }' } });

      expect(requests).toMatchObject([{ headers: { 'x-tenant': 't', 'x-request-id': expect.any(String) } }]);
      expect(requests[0]?.headers).not.toHaveProperty('x-other');
      await app.close();
    });

    it('works as a plugin: it sees operations and may refuse them', async () => {
      const seen: (string | null | undefined)[] = [];
      const { gateway } = await openGateway({
        plugin: {
          requestDidStart: async () => ({
            didResolveOperation: async ({ operationName }) => void seen.push(operationName),
          }),
        },
      });

      await gateway.execute({ document: parse('query Names { users { name } }') }, scope());

      expect(seen).toEqual(['Names']);
    });
  },
);
