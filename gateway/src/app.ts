import { ApolloServer } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginSchemaReportingDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled';
import type { Authenticate } from '@foyer/shared/auth/authentication';
import type { Clock } from '@foyer/shared/clock';
import type { SharedRedis } from '@foyer/shared/events/redis';
import { compiledExecution } from '@foyer/shared/graphql/compiled-execution';
import { inProcess, type LocalSubgraph } from '@foyer/shared/graphql/in-process';
import { asOperation } from '@foyer/shared/graphql/operation-span';
import type { SignContext } from '@foyer/shared/graphql/signed-context';
import type { RequestScope } from '@foyer/shared/http/request';
import { loggingAbout, type Log } from '@foyer/shared/telemetry/log';
import type { FastifyPluginAsync } from 'fastify';
import type { DocumentNode, ExecutionResult } from 'graphql';

import { documentRules, documentStore } from './documents/document-store.ts';
import { trustedDocuments } from './plugins/trusted-documents.ts';
import type { EvaluatePolicies } from './authorization/access.ts';
import type { Config } from './config.ts';
import { withForwardedHeaders } from './data-sources/forwarded-headers.ts';
import { withPublicErrors } from './data-sources/public-errors.ts';
import { subgraphDataSource, type SubgraphDataSource } from './data-sources/subgraph-data-source.ts';
import { apolloRunPlan } from './execution/apollo-run-plan.ts';
import { runPlan } from './execution/execute.ts';
import { executor } from './executor.ts';
import { landingPage, landingPagePlugin, type Example } from './http/landing-page.ts';
import { PREFLIGHT_HEADERS } from './request/preflight.ts';
import { graphqlRoutes } from './http/routes.ts';
import { headerMapOf, asHttpRequest } from './request/http-request.ts';
import { singleResult } from './request/single-result.ts';
import { costLimit } from './plugins/cost.ts';
import { maskedErrors, unexpectedErrors } from './plugins/error-masking.ts';
import { httpStatus } from './plugins/http-status.ts';
import { metrics } from './plugins/metrics.ts';
import { oneByOne } from './plugins/one-by-one.ts';
import { planning } from './plugins/planning.ts';
import { rates, requestCounter } from './plugins/rates.ts';
import { refusedRequests } from './plugins/refuse.ts';
import { slowLog, slowOperations } from './plugins/slow-operations.ts';
import { tracing } from './plugins/tracing.ts';
import { transport } from './plugins/transport.ts';
import { gatewayContext, type GatewayContext } from './request/context.ts';
import { openStreams } from './streams/streams.ts';
import { openStates } from './supergraph/state.ts';
import { apolloLogger, SupergraphGateway, type MakeDataSource } from './supergraph/supergraph-gateway.ts';
import { subscriptionServer } from './web-socket/server.ts';

export { foyerExamples } from './http/examples.ts';
export type { Example } from './http/landing-page.ts';

/** Subgraphs on the network. */
interface Remote {
  /** Addresses by name of the subgraph, where they differ from those in the supergraph. */
  addresses?: Readonly<Record<string, string>>;
  /** Signs the viewer for Foyer's own subgraphs; without it subgraphs get the forwarded headers alone. */
  signContext?: SignContext;
}

/** A plan is made on the thread that answers everybody, and takes milliseconds as a rule; a busy machine is much slower. */
const LONGEST_PLANNING_MS = 5_000;

export interface GatewayOptions {
  /** The SDL, or one of Apollo's managers of supergraphs, such as `IntrospectAndCompose`. */
  supergraphSdl: ConstructorParameters<typeof SupergraphGateway>[0]['supergraphSdl'];
  /** Whether the supergraph was validated already, when it was composed. */
  validated?: boolean;
  /** The subgraphs in this process. */
  subgraphs: Readonly<Record<string, LocalSubgraph>>;
  /** How subgraphs on the network are called; without it there may be none. */
  remote?: Remote;
  /** Other data sources, such as a `RemoteGraphQLDataSource` with `willSendRequest`; undefined for a subgraph that needs none. */
  buildService?: (subgraph: { name: string; url: string }) => SubgraphDataSource | undefined;
  /** Further plugins of ApolloServer. */
  plugins?: ConstructorParameters<typeof ApolloServer<GatewayContext>>[0]['plugins'];
  authenticate: Authenticate;
  /** Grants policies of `@policy` beyond those that a credential claims; without it nothing does. */
  evaluatePolicies?: EvaluatePolicies;
  config: Config;
  log: Log;
  clock: Clock;
  /** Counts requests across all gateways; without it each has limits of its own. */
  redis?: SharedRedis | undefined;
  /** What the landing page offers to try. */
  examples?: readonly Example[];
  /** Where people sign in, which the landing page leads to; without it there is no such page. */
  loginPath?: string;
}

/** An operation of ours, whose document is valid. */
interface Operation {
  document: DocumentNode;
  variables?: Record<string, unknown> | undefined;
  operationName?: string | undefined;
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

/** The gateway over subgraphs in this process, on the network, or both: ApolloServer and ApolloGateway with our executor. */
export async function createGateway(options: GatewayOptions): Promise<Gateway> {
  const { supergraphSdl, config, log, validated = false, examples = [], plugins = [] } = options;
  const states = openStates();
  const run = config.executor === 'apollo' ? apolloRunPlan : runPlan;
  const streams = openStreams({ config, log, runPlan: run, isCurrent: states.isCurrent });
  const gateway = new SupergraphGateway({
    supergraphSdl,
    states,
    validated,
    makeDataSource: await dataSourceMaker(options),
    execute: executor({ states, streams, runPlan: run }),
    onReplaced: streams.reloaded,
    supergraph: {
      listSize: config.limits.listSize,
      planningMs: LONGEST_PLANNING_MS,
      overrideLabels: config.overrideLabels,
      evaluatePolicies: options.evaluatePolicies,
    },
    telemetry: config.apolloReporting,
    log,
  });
  const documents = documentStore();
  const trusted = trustedDocuments(config);
  const countRequest = requestCounter(options);
  const page = config.sandbox ? landingPage(examples, options.loginPath) : undefined;
  const server = new ApolloServer<GatewayContext>({
    gateway,
    documentStore: documents,
    persistedQueries: { cache: trusted.cache },
    introspection: true, // `documentRules` refuses it, where it is not allowed
    parseOptions: { maxTokens: config.limits.tokens },
    validationRules: documentRules(config),
    validationOptions: { hideSuggestions: !config.introspection },
    csrfPrevention: { requestHeaders: [...PREFLIGHT_HEADERS] },
    formatError: maskedErrors(log),
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    stringifyResult: (result) => JSON.stringify(result),
    logger: apolloLogger(log),
    plugins: [
      oneByOne([
        transport(),
        refusedRequests(),
        rates(countRequest),
        trusted.plugin,
        costLimit(states, config),
        planning(states, config, documents),
      ]),
      unexpectedErrors(log),
      tracing(),
      metrics(),
      ...(config.slowMs > 0 ? [slowOperations(states, slowLog(log, config))] : []),
      httpStatus(),
      ...plugins, // after ours, so that they may set another status
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginInlineTraceDisabled(),
      page ? landingPagePlugin(page) : ApolloServerPluginLandingPageDisabled(),
      ...(config.apolloReporting
        ? []
        : [ApolloServerPluginUsageReportingDisabled(), ApolloServerPluginSchemaReportingDisabled()]),
    ],
  });
  await server.start();
  const sockets = subscriptionServer({ ...options, server });

  return {
    async execute({ document, variables, operationName }, scope) {
      const context = gatewayContext(scope, { internal: true });
      const request = {
        query: documents.textOf(document),
        ...(variables && { variables }),
        ...(operationName !== undefined && { operationName }),
        ...(scope.headers && { http: asHttpRequest(headerMapOf(scope.headers)) }),
      };
      return loggingAbout({ requestId: scope.requestId }, () =>
        asOperation(context, async () =>
          singleResult(await server.executeOperation(request, { contextValue: context })),
        ),
      );
    },
    countRequest,
    async routes(app) {
      await app.register(graphqlRoutes({ ...options, server, page }));
      sockets.attach(app.server);
      app.addHook('preClose', sockets.stop); // an open WebSocket would keep the server from closing
    },
    reload: (sdl) => gateway.reload(sdl),
    async stop() {
      await sockets.stop();
      await server.stop();
    },
  };
}

/** Makes the data source of each subgraph: the operator's, one in this process, or one over HTTP. */
async function dataSourceMaker(gateway: GatewayOptions): Promise<MakeDataSource> {
  const { subgraphs, remote, config, log, buildService } = gateway;
  const local = Object.fromEntries(
    Object.entries(subgraphs).map(([name, subgraph]) => [
      name,
      subgraphDataSource(
        inProcess(name, subgraph, log, config.subgraphs.compiled ? { execute: compiledExecution() } : {}),
      ),
    ]),
  );
  const changes = { answered: 0 };
  const overHttp = remote && (await import('./data-sources/over-http.ts')).overHttp;
  const make: MakeDataSource = ({ name, url }) => {
    const built = buildService?.({ name, url });
    if (built) return withForwardedHeaders(name, built);
    if (local[name]) return local[name];
    if (!overHttp || !isHttp(url)) return undefined;
    const timeoutMs = config.subgraphs.timeoutsMs[name] ?? config.subgraphs.timeoutMs;
    const options = { ...config.subgraphs, timeoutMs };
    return subgraphDataSource(overHttp({ name, url, options, log, signContext: remote?.signContext, changes }));
  };
  return ({ name, url }) => {
    const source = make({ name, url: remote?.addresses?.[name] ?? url });
    return source && withPublicErrors(name, source, { errors: config.subgraphs.errors, log });
  };
}

const isHttp = (url: string) => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
