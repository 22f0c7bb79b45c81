import { randomUUID } from 'node:crypto';

import type { GraphQLDataSource } from '@apollo/gateway';
import { kindOf, type Answer, type DataSource } from '@foyer/shared/graphql/data-source';
import { afterChange } from '@foyer/shared/graphql/error-masking';
import { operationContext, type OperationContext } from '@foyer/shared/graphql/operation-context';
import { OperationTypeNode, type GraphQLError, type GraphQLFormattedError } from 'graphql';

import type { GatewayRequest } from '../request/gateway-request.ts';

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

type ProcessOptions = Parameters<GraphQLDataSource['process']>[0];
type Response = Awaited<ReturnType<GraphQLDataSource['process']>>;

export type SubgraphDataSources = Readonly<Record<string, SubgraphDataSource>>;

/** Gives one of our data sources the shape of Apollo's. */
export const subgraphDataSource = (source: DataSource): SubgraphDataSource => ({
  async process(options) {
    const { query = '', operationName, variables = {} } = options.request;
    const fetch = { query, kind: kindOf(query), operationName, variables };
    const context = 'incomingRequestContext' in options ? (options.context as OperationContext) : contextOfNobody();
    const answer = await source.fetch(fetch, context);
    return asResponse(fetch.kind === 'query' && isChange(options) ? withErrors(answer, afterChange) : answer);
  },
  subscribe: source.subscribe,
  ...(source.close && { close: source.close }),
});

/** Whether the client's operation is a mutation: its plan sends queries only after what they add to was changed. */
const isChange = (options: ProcessOptions): boolean =>
  'incomingRequestContext' in options &&
  (options.incomingRequestContext as GatewayRequest).operation.operation === OperationTypeNode.MUTATION;

const withErrors = (answer: Answer, map: (error: GraphQLError) => GraphQLError): Answer =>
  answer.errors ? { ...answer, errors: answer.errors.map(map) } : answer;

/** The context of what a manager of supergraphs asks, such as the schema: no client caused it. */
const contextOfNobody = () =>
  operationContext({
    requestId: randomUUID(),
    viewer: null,
    client: { address: '', userAgent: '' },
    signal: new AbortController().signal,
    reply: { cookies: [] },
  });

/** An answer as Apollo's interface has it. Its errors stay the same objects, by which masked ones are known. */
export const asResponse = ({ data, errors }: Answer): Response => ({
  ...(data !== undefined && { data }),
  ...(errors && { errors: errors as readonly GraphQLFormattedError[] }),
});
