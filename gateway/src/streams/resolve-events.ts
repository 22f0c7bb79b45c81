import type { QueryPlan } from '@apollo/query-planner';
import type { Fetch, StreamEvent } from '@foyer/shared/graphql/data-source';
import { publicError } from '@foyer/shared/graphql/error-masking';
import { timeOperation } from '@foyer/shared/graphql/metrics';
import { asEvent } from '@foyer/shared/graphql/operation-span';
import type { RequestScope } from '@foyer/shared/http/request';
import type { Log } from '@foyer/shared/telemetry/log';
import type { Carrier } from '@foyer/shared/telemetry/tracing';
import type { ExecutionResult } from 'graphql';

import { recorded } from '../data-sources/recorded.ts';
import { asResponse, type SubgraphDataSource } from '../data-sources/subgraph-data-source.ts';
import type { RunPlan } from '../execution/execute.ts';
import { copied } from '../plan/data.ts';
import type { LogSlow } from '../plugins/slow-operations.ts';
import { gatewayContext } from '../request/context.ts';
import type { GatewayRequest } from '../request/gateway-request.ts';
import type { State } from '../supergraph/state.ts';
import type { Planned } from '../supergraph/supergraph.ts';
import { inTurns } from './turns.ts';

export interface ResolverNeeds {
  log: Log;
  logSlow: LogSlow;
  runPlan: RunPlan;
}

/** An open subscription. */
interface Subscribed {
  state: State;
  planned: Planned;
  request: GatewayRequest;
  /** That of the request, with a signal that aborts when the client leaves this stream, too. */
  scope: RequestScope;
  /** The trace in which the stream was opened. */
  opening: Carrier;
  /** The fetch that opened the stream, and the subgraph that streams. */
  fetch: Fetch;
  subgraph: string;
  source: SubgraphDataSource;
  /** What each event is resolved by. */
  eventPlan: QueryPlan;
}

/** How many events of this process begin to be resolved in one turn of the event loop. */
const turn = inTurns(100);

/** Returns a function that resolves an event by the plan, when it is its turn. */
export function eventResolver(
  { log, logSlow, runPlan }: ResolverNeeds,
  { state, planned, request, scope, opening, fetch, subgraph, source, eventPlan }: Subscribed,
): (event: StreamEvent) => Promise<ExecutionResult> {
  const { context: asking, document } = request;
  const { variables = {}, operationName } = request.request;
  return async (event) => {
    const wait = turn();
    if (wait) await wait;
    // A new context for each event: the loaders of the last one hold old data.
    const context = gatewayContext({ ...scope, reply: { cookies: [] } }, { forwarded: asking.forwarded });
    const sources = { ...state.sources, [subgraph]: servedFrom(event, fetch, subgraph, source) };
    const run = () => runPlan({ ...state, sources }, planned, eventPlan, { ...request, context });
    const done = timeOperation('subscription', planned.operation.name?.value);
    let failed = true;
    try {
      const result = await asEvent(context, planned.operation, opening, run);
      failed = result.errors !== undefined;
      logSlow(state, { document, operationName, variables }, context, result.errors);
      return withPublicErrors(result, scope, log);
    } finally {
      done(failed);
    }
  };
}

/** The subgraph of the stream for one event, which itself answers the first fetch of the plan. */
function servedFrom(
  event: StreamEvent,
  { query }: Fetch,
  subgraph: string,
  source: SubgraphDataSource,
): SubgraphDataSource {
  const first = recorded(subgraph, {
    async process(options) {
      const { data, errors } = await event(options.context as GatewayRequest['context']);
      // The plan merges into the data, which others may hold, too; cloned errors would lose their path.
      return asResponse({ ...(data !== undefined && { data: copied(data) }), ...(errors && { errors }) });
    },
  });
  return { process: (options) => (options.request.query === query ? first : source).process(options) };
}

function withPublicErrors(result: ExecutionResult, { requestId }: RequestScope, log: Log): ExecutionResult {
  return result.errors
    ? { ...result, errors: result.errors.map((error) => publicError(error, { requestId, log })) }
    : result;
}
