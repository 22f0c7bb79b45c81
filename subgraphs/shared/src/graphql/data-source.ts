import type { GraphQLError } from 'graphql';

import type { OperationContext } from './operation-context.ts';

/** An operation that a plan sends to a subgraph. */
export interface Fetch {
  query: string;
  kind: 'query' | 'mutation' | 'subscription';
  operationName: string | undefined;
  variables: Record<string, unknown>;
}

/** The kind of a planner's document, which begins with it, as far as it is not a subscription's. */
export const kindOf = (query: string): Fetch['kind'] => (query.startsWith('mutation') ? 'mutation' : 'query');

/** What a subgraph answers; the gateway decides which of its errors clients see. */
export interface Answer {
  data?: Record<string, unknown> | null;
  errors?: readonly GraphQLError[];
}

/** An event of a subscription, still to be resolved: with a context of its own, so that no loader is stale. */
export type StreamEvent = (context: OperationContext) => Promise<Answer>;

export interface Upstream {
  events: AsyncIterator<StreamEvent>;
}

/** A subgraph as the gateway calls it. */
export interface DataSource {
  /** Answers a query or mutation; `data` belongs to the caller, who merges into it. Never rejects. */
  fetch(fetch: Fetch, context: OperationContext): Promise<Answer>;
  /**
   * Opens the event stream of a subscription. It is released by `events.return()`, or when
   * `context.scope.signal` aborts, even while it is waiting for an event.
   */
  subscribe(fetch: Fetch, context: OperationContext): Promise<Upstream | { errors: readonly GraphQLError[] }>;
  /** Closes connections. */
  close?(): Promise<void>;
}

export type DataSources = Readonly<Record<string, DataSource>>;
