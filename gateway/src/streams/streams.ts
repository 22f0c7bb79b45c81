import { pushQueue } from '@foyer/shared/graphql/push-queue';
import { Refusal } from '@foyer/shared/errors';
import type { Log } from '@foyer/shared/telemetry/log';
import { GraphQLError, Kind, type ExecutionResult } from 'graphql';

import type { Config } from '../config.ts';
import { requireVariables, type RunPlan } from '../execution/execute.ts';
import { droppedEvents } from '@foyer/shared/graphql/metrics';
import { slowLog } from '../plugins/slow-operations.ts';
import { countedAs } from '../request/counted-as.ts';
import type { GatewayRequest } from '../request/gateway-request.ts';
import { openCounts } from '../request/open-counts.ts';
import type { State } from '../supergraph/state.ts';
import type { Planned } from '../supergraph/supergraph.ts';
import { openStream, type Stream } from './stream.ts';

/** All running subscriptions of this process. */
export interface Streams {
  /**
   * Starts a subscription, or joins a running one: equal subscriptions with equal rights and one plan share one upstream where
   * their root field is configured as shared.
   *
   * @throws {Refusal} `TOO_MANY_STREAMS`, or for invalid variables
   */
  open(state: State, planned: Planned, request: GatewayRequest): Promise<Opened>;
  /** Ends every stream, and tells its client that the schema has changed. */
  reloaded(): void;
}

type StreamsConfig = Pick<Config, 'streams' | 'webSocket' | 'slowMs'>;

type Opened = AsyncIterableIterator<ExecutionResult> | { errors: readonly GraphQLError[] };

interface Needs {
  config: StreamsConfig;
  log: Log;
  /** Resolves the events. */
  runPlan: RunPlan;
  /** Whether no other state has replaced this one. */
  isCurrent(state: State): boolean;
}

export function openStreams({ config, log, runPlan, isCurrent }: Needs): Streams {
  const running = new Set<Stream>();
  const ofViewer = openCounts();
  const needs = { log, runPlan, queue: config.webSocket.queue, logSlow: slowLog(log, config) };
  const start: Open = async (state, planned, request) => {
    const stream = await openStream(needs, state, planned, request);
    if ('errors' in stream) return stream;
    if (isCurrent(state)) running.add(stream);
    else stream.end(schemaReloaded()); // it was replaced while the stream was opened
    return { ...stream, results: untilEnd(stream.results, () => running.delete(stream)) };
  };
  const shared = sharedStreams(start, needs.queue);

  async function open(state: State, planned: Planned, request: GatewayRequest): Promise<Opened> {
    if (isShared(planned, config.streams.shared)) return shared.join(state, planned, request);
    const stream = await start(state, planned, request);
    return 'errors' in stream ? stream : stream.results;
  }

  return {
    async open(state, planned, request) {
      requireVariables(state.supergraph, planned, request.request.variables);
      const viewer = countedAs(request.context.scope);
      assertNotTooMany(ofViewer.of(viewer), config.streams.perViewer);
      const leave = ofViewer.add(viewer);
      try {
        const opened = await open(state, planned, request);
        if ('errors' in opened) leave();
        return 'errors' in opened ? opened : untilEnd(opened, leave);
      } catch (error) {
        leave();
        throw error;
      }
    },
    reloaded() {
      for (const stream of running) stream.end(schemaReloaded());
      running.clear();
    },
  };
}

function assertNotTooMany(open: number, most: number): void {
  if (most > 0 && open >= most) {
    throw new Refusal('RATE_LIMITED', 'TOO_MANY_STREAMS', `At most ${most} subscriptions may run for one viewer.`);
  }
}

function isShared(planned: Planned, fields: readonly string[]): boolean {
  if (fields.includes('*')) return true;
  const [root] = planned.operation.selectionSet.selections;
  return root?.kind === Kind.FIELD && fields.includes(root.name.value);
}

const schemaReloaded = () =>
  new GraphQLError('The schema has changed: subscribe again.', { extensions: { code: 'SUBSCRIPTION_SCHEMA_RELOAD' } });

/** Passes results on, and calls back when they end or the client leaves. */
function untilEnd(
  results: AsyncIterableIterator<ExecutionResult>,
  onEnd: () => void,
): AsyncIterableIterator<ExecutionResult> {
  const look = (result: IteratorResult<ExecutionResult>) => {
    if (result.done) onEnd();
    return result;
  };
  return {
    next: () => results.next().then(look),
    async return() {
      onEnd();
      await results.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

interface Group {
  opened: Promise<Stream | { errors: readonly GraphQLError[] }>;
  queues: Set<ReturnType<typeof pushQueue<ExecutionResult>>>;
  /** Ends the upstream, however many clients still listen. */
  over: AbortController;
}

type Open = (state: State, planned: Planned, request: GatewayRequest) => Group['opened'];

/** One upstream for equal subscriptions with equal rights and one plan; each client has a queue of its own. */
function sharedStreams(open: Open, limit: number) {
  const groups = new Map<string, Group>();
  const idOf = identities();

  function begin(key: string, state: State, planned: Planned, request: GatewayRequest): Group {
    const over = new AbortController();
    // The group has a signal of its own: its first client may leave before the others.
    const context = { ...request.context, scope: { ...request.context.scope, signal: over.signal } };
    const group: Group = { opened: open(state, planned, { ...request, context }), queues: new Set(), over };
    groups.set(key, group);
    const forget = () => {
      if (groups.get(key) === group) groups.delete(key);
    };
    over.signal.addEventListener('abort', forget, { once: true });
    group.opened.then((stream) => ('errors' in stream ? forget() : passOn(stream, group)), forget);
    return group;
  }

  async function passOn({ results }: Stream, { queues, over }: Group): Promise<void> {
    const stop = () => void results.return?.();
    if (over.signal.aborted) return stop();
    over.signal.addEventListener('abort', stop, { once: true });
    for await (const result of results) for (const queue of queues) queue.push(result);
    over.abort();
    for (const queue of queues) queue.end();
  }

  return {
    async join(state: State, planned: Planned, request: GatewayRequest): Promise<Opened> {
      const { context } = request;
      // Callers who may see different things of one operation have different plans, whatever that depends on.
      const key = `${idOf(planned)} ${JSON.stringify(request.request.variables)} ${context.rights()}`;
      const group = groups.get(key) ?? begin(key, state, planned, request);
      const queue = pushQueue<ExecutionResult>(context.scope.signal, limit, () =>
        droppedEvents.inc({ subgraph: 'shared' }),
      );
      group.queues.add(queue);
      queue.onEnd(() => {
        group.queues.delete(queue);
        if (group.queues.size === 0) group.over.abort();
      });
      const stream = await group.opened;
      if (!('errors' in stream)) return queue.items;
      queue.end();
      return stream;
    },
  };
}

/** A number for each object, as part of a key. */
function identities() {
  const known = new WeakMap<object, number>();
  let last = 0;
  return (thing: object): number => {
    const id = known.get(thing) ?? (last += 1);
    known.set(thing, id);
    return id;
  };
}
