import type { Authenticate } from '@foyer/shared/auth/authentication';
import type { Clock } from '@foyer/shared/clock';
import type { Log } from '@foyer/shared/telemetry/log';
import type { SharedRedis } from '@foyer/shared/events/redis';
import type { RequestScope } from '@foyer/shared/http/request';
import type { SignContext } from '@foyer/shared/graphql/signed-context';
import { markFailed } from '@foyer/shared/telemetry/tracing';
import type { FastifyPluginAsync } from 'fastify';
import type { ExecutionResult, GraphQLError } from 'graphql';

import { admission } from './admission/admission.ts';
import type { Config } from './config.ts';
import { compiledExecution } from '@foyer/shared/graphql/compiled-execution';
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
  /** Addresses by name of the subgraph, where they differ from those in the supergraph. */
  addresses?: Readonly<Record<string, string>>;
  /** Signs the viewer for Foyer's own subgraphs; without it subgraphs get the forwarded headers alone. */
  signContext?: SignContext;
}

export interface GatewayOptions {
  supergraphSdl: string;
  /** Whether the supergraph was validated already, when it was composed. */
  validated?: boolean;
  /** The subgraphs in this process. */
  subgraphs: Readonly<Record<string, LocalSubgraph>>;
  /** How subgraphs on the network are called; without it there may be none. */
  remote?: Remote;
  authenticate: Authenticate;
  config: Config;
  log: Log;
  clock: Clock;
  /** Counts requests across all gateways; without it each has limits of its own. */
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
   * Counts a request outside `/graphql` against the same rate limits.
   *
   * @throws {Refusal} `TOO_MANY_REQUESTS`, with the seconds to wait as `retryAfter`
   */
  countRequest(scope: Pick<RequestScope, 'viewer' | 'client'>): Promise<void>;
  /** `/graphql` over HTTP, and over WebSocket on the same server. */
  routes: FastifyPluginAsync;
  /**
   * Replaces the supergraph. Requests under way finish with the one that they began with; subscriptions are ended, and
   * their clients are told to subscribe again.
   *
   * @throws when it is not valid or names an unknown subgraph; then nothing has changed
   */
  reload(supergraphSdl: string): void;
  /** Ends all streams and connections. */
  stop(): Promise<void>;
}

/** The gateway over subgraphs in this process, on the network, or both. */
export async function createGateway(options: GatewayOptions): Promise<Gateway> {
  const { config, validated = false, examples = [] } = options;
  const { listSize } = config.limits;
  const states = openStates(options.supergraphSdl, await dataSourceResolver(options), {
    listSize,
    validate: !validated,
  });
  const streams = openStreams(options);
  const execute = publicExecution(options);
  const needs: Needs = { ...options, states, streams, execute, admission: admission(options) };
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

/** Resolves the data source of each subgraph. A subgraph at the same address keeps its source in the next state. */
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
    const source = overHttp({ name, url, options: config.subgraphs, log, signContext: remote?.signContext, changes });
    known.set(source, url);
    return source;
  };
}

/** Executes operations, makes their errors public, and logs the slow ones. */
function publicExecution({ log, config }: Pick<GatewayOptions, 'log' | 'config'>): Needs['execute'] {
  const logSlow = slowOperations(log, config);
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
      logSlow(state, operation, context, errors);
    }
  };
}
