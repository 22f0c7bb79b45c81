import type { QueryPlan } from '@apollo/query-planner';
import { Refusal } from '@foyer/shared/errors';
import type { Fetch, StreamEvent, Upstream } from '@foyer/shared/graphql/data-source';
import { publicError, publicErrorOf } from '@foyer/shared/graphql/error-masking';
import { droppedEvents, openStreams, streamEvents } from '@foyer/shared/graphql/metrics';
import { operationContext } from '@foyer/shared/graphql/operation-context';
import { pushQueue } from '@foyer/shared/graphql/push-queue';
import { carriedTrace, untraced } from '@foyer/shared/telemetry/tracing';
import { GraphQLError, type ExecutionResult } from 'graphql';

import { withClientNames } from '../plan/client-names.ts';
import type { GatewayRequest } from '../request/gateway-request.ts';
import type { State } from '../supergraph/state.ts';
import type { Planned } from '../supergraph/supergraph.ts';
import { eventResolver, type ResolverNeeds } from './resolve-events.ts';

interface Needs extends ResolverNeeds {
  /** How many events wait for a slow client before the oldest is dropped. */
  queue: number;
}

/** A running subscription. */
export interface Stream {
  results: AsyncIterableIterator<ExecutionResult>;
  /** Ends the subscription with a last error to the client. */
  end(lastWord: GraphQLError): void;
}

/**
 * Starts a subscription: its first fetch is a stream of events from one subgraph, and each event is resolved by the rest of
 * the plan.
 *
 * Iterators are written by hand: an async generator would queue `return()` behind the pending
 * `next()`, and a client that has left would keep its upstream open until the next event.
 *
 * @param state used until the stream ends
 * @param request with variables that can be used; the subgraphs get a scope whose signal aborts when the client leaves
 *   this stream, too
 * @throws {GraphQLError} when it is no subscription
 */
export async function openStream(
  needs: Needs,
  state: State,
  planned: Planned,
  request: GatewayRequest,
): Promise<Stream | { errors: readonly GraphQLError[] }> {
  const { context: asking } = request;
  const { subgraph, fetch, eventPlan } = splitPlan(planned, request.request.variables ?? {});
  const source = state.sources[subgraph];
  if (!source?.subscribe) throw new Error(`subgraph ${subgraph} has no subscriptions`);

  const left = new AbortController();
  const unfollow = follow(asking.scope.signal, left);
  const scope = { ...asking.scope, signal: left.signal };
  // Ends only the upstream: its last events may still be resolved afterwards.
  const over = new AbortController();
  follow(left.signal, over);
  const ofUpstream = { ...scope, signal: over.signal };
  const opening = carriedTrace();
  const upstream = await source.subscribe(fetch, operationContext(ofUpstream, asking.forwarded));
  const where = { requestId: scope.requestId, log: needs.log };
  if ('errors' in upstream) {
    unfollow();
    return { errors: upstream.errors.map((error) => publicError(asOfClient(error), where)) };
  }
  const events = pump(upstream, subgraph, needs.queue, over);
  const resolve = eventResolver(needs, { state, planned, request, scope, opening, eventPlan, fetch, subgraph, source });
  const failed = (error: unknown) => publicErrorOf(error, where);
  const leave = async () => {
    left.abort();
    await events.items.return?.();
  };
  return { results: resultsOf(events.items, { resolve, failed, leave, over: unfollow }), end: events.endWith };
}

/**
 * Aborts a controller with a signal. `AbortSignal.any` would take more memory, and time at each look whether it has aborted.
 *
 * @returns ends that, for a signal that lives longer
 */
function follow(signal: AbortSignal, controller: AbortController): () => void {
  const abort = () => controller.abort(signal.reason);
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  return () => signal.removeEventListener('abort', abort);
}

/** The error with the names that the client has given to fields. */
function asOfClient(error: GraphQLError): GraphQLError {
  const { message, path, extensions } = error;
  return path ? new GraphQLError(message, { originalError: error, path: withClientNames(path), extensions }) : error;
}

const nothingToWaitFor = () =>
  new Refusal('BAD_USER_INPUT', 'EMPTY_SUBSCRIPTION', 'A subscription must ask for one field, without conditions.');

/** Splits the plan of a subscription into the fetch that opens the stream and the plan of each event. */
function splitPlan({ queryPlan }: Planned, variables: Record<string, unknown>) {
  if (queryPlan.node?.kind !== 'Subscription') throw nothingToWaitFor();
  const { primary, rest } = queryPlan.node;
  const used = (primary.variableUsages ?? []).filter((name) => variables[name] !== undefined);
  const fetch: Fetch = {
    query: primary.operation,
    kind: 'subscription',
    operationName: primary.operationName,
    variables: Object.fromEntries(used.map((name) => [name, variables[name]])),
  };
  const eventPlan: QueryPlan = {
    kind: 'QueryPlan',
    node: rest ? { kind: 'Sequence', nodes: [primary, rest] } : primary,
  };
  return { subgraph: primary.serviceName, fetch, eventPlan };
}

type Event = StreamEvent | GraphQLError;

/** Reads events as they come: a slow client fills a bounded queue, and does not block the upstream. */
function pump({ events }: Upstream, subgraph: string, limit: number, over: AbortController) {
  const queue = pushQueue<Event>(over.signal, limit, () => droppedEvents.inc({ subgraph }));
  openStreams.inc({ subgraph });
  queue.onEnd(() => {
    openStreams.dec({ subgraph });
    over.abort(); // for a source that only reacts to its signal
    events.return?.().catch(() => undefined); // the stream has ended either way
  });

  async function read() {
    for (;;) {
      const result = await events.next();
      if (result.done) return queue.end();
      streamEvents.inc({ subgraph });
      queue.push(result.value);
    }
  }
  const endWith = (lastWord: GraphQLError) => {
    queue.push(lastWord);
    queue.end();
  };
  untraced(read).catch((error: unknown) =>
    endWith(error instanceof GraphQLError ? error : new GraphQLError('failed', { originalError: error as Error })),
  );
  return { items: queue.items, endWith };
}

interface Resolving {
  resolve(event: StreamEvent): Promise<ExecutionResult>;
  /** The error as the client gets it. */
  failed(error: unknown): GraphQLError;
  /** The client has left. */
  leave(): Promise<void>;
  /** The client has left, or has everything. */
  over(): void;
}

/** The results for the client. They never throw: that would end its other subscriptions, too. */
function resultsOf(
  events: AsyncIterableIterator<Event>,
  { resolve, failed, leave, over }: Resolving,
): AsyncIterableIterator<ExecutionResult> {
  const asResult = (error: unknown) => ({ errors: [failed(error)] });
  const finish = async (): Promise<IteratorResult<ExecutionResult>> => {
    over();
    await leave();
    return { done: true, value: undefined };
  };
  async function resolved({ done, value }: IteratorResult<Event>): Promise<IteratorResult<ExecutionResult>> {
    if (done) {
      over();
      return { done, value: undefined };
    }
    if (value instanceof GraphQLError) return { done: false, value: asResult(value) };
    return { done: false, value: await resolve(value).catch(asResult) };
  }
  return {
    // No async function: each of them would hold another generator and its context while it waits for an event.
    next: () => events.next().then(resolved),
    return: finish,
    throw: finish,
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
