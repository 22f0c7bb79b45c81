import { buildSubgraphSchema, type GraphQLSchemaModule } from '@apollo/subgraph';
import { systemClock } from '@foyer/shared/clock';
import { openLog } from '@foyer/shared/telemetry/log';
import { parse, type ExecutionResult } from 'graphql';
import { expect } from 'vitest';

import { createGateway, type Gateway } from '../app.ts';
import { readConfig } from '../config.ts';
import { compose } from '../supergraph/compose.ts';
import { executorNames } from './executors.ts';

/** A subgraph in a few lines. */
export interface SmallSubgraph {
  /** A link to Federation 2 is added when it has none. */
  typeDefs: string;
  /** Whether it is of Federation 1, which has no link. */
  first?: boolean;
  resolvers: object;
}

/** Asks a query, and answers as a client reads it. */
export type Ask = (query: string, variables?: Record<string, unknown>) => Promise<ExecutionResult>;

const link = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9",
  import: ["@key", "@external", "@requires", "@provides", "@shareable", "@interfaceObject", "@override"])\n`;

/**
 * A gateway over a few small subgraphs in this process, for one question of federation. Each query is answered by our
 * executor, and must be answered alike by Apollo's.
 */
export async function askSmallGateway(subgraphs: Readonly<Record<string, SmallSubgraph>>): Promise<Ask> {
  const services = Object.entries(subgraphs).map(([name, { typeDefs: sdl, resolvers, first = false }]) => {
    const typeDefs = first || sdl.includes('@link') ? sdl : link + sdl;
    const schema = buildSubgraphSchema([
      { typeDefs: parse(typeDefs), resolvers: resolvers as NonNullable<GraphQLSchemaModule['resolvers']> },
    ]);
    return { name, url: 'http://nowhere.test', typeDefs, schema };
  });
  const { supergraphSdl } = compose(services);
  const gateways = executorNames.map((GATEWAY_EXECUTOR) =>
    createGateway({
      supergraphSdl,
      subgraphs: Object.fromEntries(services.map(({ name, schema }) => [name, { schema, contextFor: () => ({}) }])),
      authenticate: async () => ({ viewer: null, by: 'nothing' }),
      config: readConfig({ GATEWAY_EXECUTOR }),
      log: openLog('silent'),
      clock: systemClock,
    }),
  );
  const [ours, apollos] = await Promise.all(gateways);
  return async (query, variables = {}) => {
    const answerOf = async (gateway: Gateway | undefined) => {
      const scope = {
        requestId: 'small',
        viewer: null,
        client: { address: '', userAgent: '' },
        signal: new AbortController().signal,
        reply: { cookies: [] },
      };
      const answer = await gateway?.execute({ document: parse(query), variables }, scope);
      return JSON.parse(JSON.stringify(answer)) as ExecutionResult;
    };
    const answer = await answerOf(ours);
    expect(await answerOf(apollos)).toEqual(answer);
    return answer;
  };
}
