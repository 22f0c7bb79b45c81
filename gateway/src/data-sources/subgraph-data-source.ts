import { randomUUID } from 'node:crypto';

import type { GraphQLDataSource } from '@apollo/gateway';
import { kindOf, type Answer, type DataSource } from '@foyer/shared/graphql/data-source';
import { operationContext, type OperationContext } from '@foyer/shared/graphql/operation-context';
import type { GraphQLError, GraphQLFormattedError } from 'graphql';

/**
 * A subgraph as the executor calls it: Apollo's `GraphQLDataSource`, so that one that was written for `@apollo/gateway` can be
 * plugged in, with what that interface lacks.
 */
export interface SubgraphDataSource extends GraphQLDataSource {
  /** Opens the event stream of a subscription; without it the subgraph has no subscriptions. */
  subscribe?: DataSource['subscribe'];
  /** Closes connections. */
  close?(): Promise<void>;
}

type Response = Awaited<ReturnType<GraphQLDataSource['process']>>;

export type SubgraphDataSources = Readonly<Record<string, SubgraphDataSource>>;

/** Gives one of our data sources the shape of Apollo's. */
export const subgraphDataSource = (source: DataSource): SubgraphDataSource => ({
  async process(options) {
    const { query = '', operationName, variables = {} } = options.request;
    const fetch = { query, kind: kindOf(query), operationName, variables };
    const context = 'incomingRequestContext' in options ? (options.context as OperationContext) : contextOfNobody();
    return asResponse(await source.fetch(fetch, context));
  },
  subscribe: source.subscribe,
  ...(source.close && { close: source.close }),
});

/** The context of what a manager of supergraphs asks, such as the schema: no client caused it. */
const contextOfNobody = () =>
  operationContext({
    requestId: randomUUID(),
    viewer: null,
    client: { address: '', userAgent: '' },
    signal: new AbortController().signal,
    reply: { cookies: [] },
  });

/** An answer as Apollo's interface has it. */
export const asResponse = ({ data, errors }: Answer): Response => ({
  ...(data !== undefined && { data }),
  ...(errors && { errors: formatted(errors) }),
});

/** Errors as Apollo's interface has them. They stay the same objects, by which masked ones are known. */
export const formatted = (errors: readonly GraphQLError[]) => errors as readonly GraphQLFormattedError[];
