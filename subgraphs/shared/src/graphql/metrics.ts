import { Counter, Gauge, Histogram } from 'prom-client';

// One set per process, in prom-client's default registry, which /metrics serves.

const seconds = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const operations = new Histogram({
  name: 'foyer_graphql_operation_seconds',
  help: 'Time to answer an operation, from plan to answer; for subscriptions, one event.',
  labelNames: ['operation', 'type', 'outcome'],
  buckets: seconds,
});

const fetches = new Histogram({
  name: 'foyer_graphql_fetch_seconds',
  help: 'Time that a subgraph takes for one fetch of a plan.',
  labelNames: ['subgraph', 'outcome'],
  buckets: seconds,
});

const errors = new Counter({
  name: 'foyer_graphql_errors_total',
  help: 'Errors told to clients, by code.',
  labelNames: ['code'],
});

/** WebSocket connections that are open. */
export const openConnections = new Gauge({
  name: 'foyer_graphql_connections',
  help: 'Open WebSocket connections.',
});

/** Upstream event streams that are open: one for each running subscription. */
export const openStreams = new Gauge({
  name: 'foyer_graphql_streams',
  help: 'Open event streams towards subgraphs.',
  labelNames: ['subgraph'],
});

/** Events that were dropped for a slow client. */
export const droppedEvents = new Counter({
  name: 'foyer_graphql_events_dropped_total',
  help: 'Events dropped because a client reads more slowly than they come.',
  labelNames: ['subgraph'],
});

export const countError = (code: string) => errors.inc({ code: boundedCode(code) });

/** Events received from upstreams, including dropped ones. */
export const streamEvents = new Counter({
  name: 'foyer_graphql_events_total',
  help: 'Events of subscriptions that came from subgraphs.',
  labelNames: ['subgraph'],
});

const MOST_NAMES = 200;
const LONGEST_NAME = 100;

/** The first so many names that somebody else chooses, and `other` for the rest: each becomes a label, and is kept. */
function boundedNames(): (name: string) => string {
  const names = new Set<string>();
  return (name) => {
    if (names.has(name)) return name;
    if (names.size >= MOST_NAMES || name.length > LONGEST_NAME) return 'other';
    names.add(name);
    return name;
  };
}

const boundedOperation = boundedNames();
/** Where the errors of subgraphs are shown, these choose the codes. */
const boundedCode = boundedNames();

/** The name of an operation as a label, and as the name of a span: clients choose it. */
export const boundedName = (name: string | undefined): string =>
  name === undefined ? 'anonymous' : boundedOperation(name);

/** The name of an operation, cut to a readable length: clients may choose one as long as a request. */
export const shortName = (name: string): string => name.slice(0, LONGEST_NAME);

/** Times an operation. */
export function timeOperation(type: string, name: string | undefined): (failed: boolean) => void {
  const started = performance.now();
  const operation = boundedName(name);
  return (failed) => operations.observe({ operation, type, outcome: failed ? 'error' : 'ok' }, secondsSince(started));
}

/** Times a fetch from a subgraph. */
export function timeFetch(subgraph: string): (failed: boolean) => void {
  const started = performance.now();
  return (failed) => fetches.observe({ subgraph, outcome: failed ? 'error' : 'ok' }, secondsSince(started));
}

const secondsSince = (started: number) => (performance.now() - started) / 1_000;
