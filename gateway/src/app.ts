import type { Authenticate } from '@foyer/shared/auth/authentication';
import type { Clock } from '@foyer/shared/clock';
import type { Log } from '@foyer/shared/telemetry/log';
import type { SharedRedis } from '@foyer/shared/events/redis';
import type { RequestScope } from '@foyer/shared/http/request';
import type { Introduce } from '@foyer/shared/graphql/signed-viewer';
import { markFailed } from '@foyer/shared/telemetry/tracing';
import type { FastifyPluginAsync } from 'fastify';
import type { ExecutionResult, GraphQLError } from 'graphql';

import { admission } from './admission/admission.ts';
import type { Config } from './config.ts';
import { compiledExecution } from './data-sources/compiled-execution.ts';
import type { DataSource } from '@foyer/shared/graphql/data-source';
import { inProcess, type LocalSubgraph } from '@foyer/shared/graphql/in-process';
import { publicError, publicErrorOf } from '@foyer/shared/graphql/error-masking';
import { executeOperation, type Operation } from './execution/execute.ts';
import type { Needs } from './request/context.ts';
import type { Example } from './http/landing-page.ts';
import { graphqlRoutes } from './http/routes.ts';
import { operationContext } from '@foyer/shared/graphql/operation-context';
import { asOperation } from '@foyer/shared/graphql/operation-span';
import { slowOperations } from './execution/slow-operations.ts';
import { openStates, type ResolveDataSource } from './supergraph/state.ts';
import { subscriptionServer } from './web-socket/server.ts';
import { openStreams } from './streams/streams.ts';

export { foyerExamples } from './http/examples.ts';
export type { Example } from './http/landing-page.ts';

/** Subgraphs on the network. */
interface Remote {
  /** Where each answers, if not where the supergraph says. */
  addresses?: Readonly<Record<string, string>>;
  /** Signs who asks, for subgraphs that are ours; without it they get the forwarded headers alone. */
  introduce?: Introduce;
}

export interface GatewayOptions {
  supergraphSdl: string;
  /** It comes with this code and was validated when it was composed. */
  validated?: boolean;
  /** Those in this process. */
  subgraphs: Readonly<Record<string, LocalSubgraph>>;
  /** How the others are called; without it there may be none. */
  remote?: Remote;
  authenticate: Authenticate;
  config: Config;
  log: Log;
  clock: Clock;
  /** Where all gateways count requests together; without it each has limits of its own. */
  redis?: SharedRedis | undefined;
  /** What the landing page offers to try. */
  examples?: readonly Example[];
}

export interface Gateway {
  /**
   * Runs an operation without HTTP. The document must be valid: it is one of ours, checked against
   * the public schema when it was generated.
   *
   * @returns errors as HTTP clients get them: refusals with code and reason, anything else masked
   */
  execute(operation: Operation, scope: RequestScope): Promise<ExecutionResult>;
  /**
   * Counts a request that comes by another way than `/graphql` against the same allowances.
   *
   * @throws {Refusal} `TOO_MANY_REQUESTS`, with the seconds to wait as `retryAfter`
   */
  countRequest(scope: Pick<RequestScope, 'viewer' | 'client'>): Promise<void>;
  /** `/graphql` over HTTP, and over WebSocket on the same server. */
  routes: FastifyPluginAsync;
  /**
   * Goes on with another supergraph. Requests under way end with the one that they began with; streams
   * are ended, and their clients told to subscribe again.
   *
   * @throws when it is not valid, or names a subgraph that can't be reached; nothing has changed then
   */
  reload(supergraphSdl: string): void;
  /** Ends all streams and connections. */
  stop(): Promise<void>;
}

/** The gateway over subgraphs in this process, on the network, or both. */
export async function createGateway(outside: GatewayOptions): Promise<Gateway> {
  const { config, validated = false, examples = [] } = outside;
  const { listSize } = config.limits;
  const states = openStates(outside.supergraphSdl, await dataSourceResolver(outside), {
    listSize,
    validate: !validated,
  });
  const streams = openStreams(outside);
  const execute = publicly(outside);
  const needs: Needs = { ...outside, states, streams, execute, admission: admission(outside) };
  const sockets = subscriptionServer(needs);

  return {
    execute(operation, scope) {
      const context = operationContext(scope);
      return asOperation(context, () => execute(states.current(), operation, context));
    },
    countRequest: (scope) => needs.admission.countRequest({ scope }),
    async routes(app) {
      await app.register(graphqlRoutes({ ...needs, examples }));
      sockets.attach(app.server);
      app.addHook('preClose', sockets.stop); // an open WebSocket would keep the server from closing
    },
    reload(sdl) {
      states.load(sdl);
      streams.reloaded();
    },
    async stop() {
      await sockets.stop();
      await states.close();
    },
  };
}

/** How each subgraph is reached. A subgraph at the same address is the same source in the next state. */
async function dataSourceResolver({ subgraphs, remote, config, log }: GatewayOptions): Promise<ResolveDataSource> {
  const local = Object.fromEntries(
    Object.entries(subgraphs).map(([name, subgraph]) => [
      name,
      inProcess(name, subgraph, log, config.subgraphs.compiled ? { execute: compiledExecution() } : {}),
    ]),
  );
  const known = new WeakMap<DataSource, string>();
  const changes = { answered: 0 };
  const overHttp = remote && (await import('./data-sources/over-http.ts')).overHttp;
  return (subgraph, before) => {
    const { name } = subgraph;
    const url = remote?.addresses?.[name] ?? subgraph.url;
    if (local[name]) return local[name];
    if (!overHttp || !URL.canParse(url)) return undefined;
    if (before && known.get(before) === url) return before;
    const source = overHttp({ name, url, options: config.subgraphs, log, introduce: remote?.introduce, changes });
    known.set(source, url);
    return source;
  };
}

/** Runs operations, shows errors as clients get them, and tells of the slow ones. */
function publicly({ log, config }: Pick<GatewayOptions, 'log' | 'config'>): Needs['execute'] {
  const tellSlow = slowOperations(log, config);
  return async (state, operation, context) => {
    const where = { requestId: context.scope.requestId, log };
    let errors: readonly GraphQLError[] | undefined;
    try {
      const result = await executeOperation(state, operation, context);
      if (!result.errors) return result;
      markFailed(context.started?.span, result.errors[0]);
      errors = result.errors.map((error) => publicError(error, where));
      return { ...result, errors };
    } catch (error) {
      markFailed(context.started?.span, error);
      errors = [publicErrorOf(error, where)];
      return { errors };
    } finally {
      tellSlow(state, operation, context, errors);
    }
  };
}
