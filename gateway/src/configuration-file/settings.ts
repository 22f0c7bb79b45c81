import { dirname, resolve } from 'node:path';

import { ConfigError, setVariablesOf } from '@foyer/shared/config/config';
import { drainAfter } from '@foyer/shared/http/close-server';
import type { BrowserRules } from '@foyer/shared/http/browsers/browser-rules';

import type { JwtOptions } from '../authentication/authenticate.ts';
import { readConfig, readStandaloneConfig, type Config, type StandaloneConfig } from '../config.ts';
import type { HeaderRules } from '../header-rules/rules.ts';
import { readConfigurationFile } from './read-file.ts';
import type { ConfigurationFile } from './schema.ts';

/** Everything that a standalone gateway is told: by its command line, its environment and its configuration file. */
export interface Settings {
  /** The path of the supergraph, which is watched for changes. */
  supergraphFile: string;
  /** The environment, completed by the file. */
  env: NodeJS.ProcessEnv;
  config: Config;
  standalone: StandaloneConfig;
  /** By which names some of them were set, for errors that only show later: keys of the file, or variables. */
  keys: Record<'port' | 'host' | 'shared' | 'labels', string>;
  /** Addresses by name of the subgraph, where they differ from those in the supergraph. */
  addresses: Readonly<Record<string, string>>;
  /** How clients authenticate; without it nobody does. */
  jwt: JwtOptions | undefined;
  browsers: BrowserRules;
  healthPath: string;
}

/**
 * Reads the settings. The command line wins over the environment, and that over the file.
 *
 * @param paths of the configuration file and the supergraph; either may be missing, but not both
 * @throws {ConfigError}
 */
export async function readSettings(
  environment: NodeJS.ProcessEnv,
  paths: { config?: string | undefined; supergraph?: string | undefined },
): Promise<Settings> {
  const file = paths.config === undefined ? {} : await readConfigurationFile(paths.config, environment);
  const fromHere = (path: string | undefined) =>
    path === undefined ? undefined : resolve(dirname(paths.config ?? ''), path);
  const supergraphFile = paths.supergraph ?? fromHere(file.supergraph?.path);
  if (supergraphFile === undefined) {
    throw new ConfigError('say --supergraph FILE, or supergraph.path in --config FILE: what the gateway is to serve');
  }
  const trusted = fromHere(file.trustedDocuments?.path);
  const given = setVariablesOf(environment);
  const env = { ...variablesOf(file, trusted), ...given };
  const keyOf = (variable: string, key: string) =>
    given[variable] === undefined && paths.config !== undefined ? key : variable;
  const config = readConfig(env);
  const timeoutsMs = timeoutsIn(file);
  const { cors } = file;
  return {
    supergraphFile,
    env,
    config: {
      ...config,
      ...(env['DRAIN_MS'] === undefined && {
        drainMs: drainAfter(Math.max(config.subgraphs.timeoutMs, ...Object.values(timeoutsMs))),
      }),
      subgraphs: {
        ...config.subgraphs,
        timeoutsMs,
        headers: rulesOf(file, config.subgraphs.headers),
      },
    },
    standalone: readStandaloneConfig(env),
    keys: {
      port: keyOf('PORT', 'listen.port'),
      host: keyOf('HOST', 'listen.host'),
      shared: keyOf('GRAPHQL_SHARED_SUBSCRIPTIONS', 'subscriptions.shared'),
      labels: keyOf('GRAPHQL_OVERRIDE_LABELS', 'overrideLabels'),
    },
    addresses: file.overrideSubgraphUrl ?? {},
    jwt: file.authentication?.jwt,
    browsers: {
      allowedOrigins: [...config.allowedOrigins, ...(cors?.matchOrigins ?? [])],
      ...(cors && {
        cors: {
          credentials: cors.allowCredentials,
          methods: cors.methods,
          allowHeaders: cors.allowHeaders,
          exposeHeaders: cors.exposeHeaders,
          maxAgeSeconds: cors.maxAge === undefined ? undefined : Math.ceil(cors.maxAge / 1_000),
        },
      }),
    },
    healthPath: file.healthCheck?.path ?? '/health',
  };
}

/** What the file says by the name of the variable that says the same. */
function variablesOf(file: ConfigurationFile, trustedDocuments: string | undefined): Record<string, string> {
  const { limits, trafficShaping } = file;
  const { webSocket } = limits ?? {};
  const { all } = trafficShaping ?? {};
  const said = {
    PORT: file.listen?.port,
    HOST: file.listen?.host,
    LOG_LEVEL: file.logLevel,
    REDIS_URL: file.redis?.url,
    SUPERGRAPH_RELOAD_MS: file.supergraph?.reload,
    DRAIN_MS: file.drain,
    SHUTDOWN_DELAY_MS: file.shutdownDelay,
    ALLOWED_ORIGINS: file.cors?.origins.join(','),
    TRUSTED_PROXIES: file.trustedProxies?.join(','),
    INTROSPECTION_ENABLED: file.introspection,
    SANDBOX_ENABLED: file.sandbox,
    GRAPHQL_MAX_BODY_BYTES: limits?.maxRequestBytes,
    GRAPHQL_MAX_TOKENS: limits?.maxTokens,
    GRAPHQL_MAX_DEPTH: limits?.maxDepth,
    GRAPHQL_MAX_ALIASES: limits?.maxAliases,
    GRAPHQL_MAX_ROOT_FIELDS: limits?.maxRootFields,
    GRAPHQL_MAX_FIELDS: limits?.maxFields,
    GRAPHQL_MAX_COST: limits?.maxCost,
    GRAPHQL_PLANNING_MS: limits?.maxPlanningTime,
    GRAPHQL_ASSUMED_LIST_SIZE: limits?.assumedListSize,
    GRAPHQL_REQUESTS_PER_VIEWER: limits?.maxRequestsPerViewer,
    GRAPHQL_REQUESTS_PER_ADDRESS: limits?.maxRequestsPerAddress,
    GRAPHQL_MAX_STREAMS_PER_VIEWER: limits?.maxStreamsPerViewer,
    GRAPHQL_WS_MAX_CONNECTIONS: webSocket?.maxConnections,
    GRAPHQL_WS_MAX_PER_ADDRESS: webSocket?.maxConnectionsPerAddress,
    GRAPHQL_WS_MAX_OPERATIONS: webSocket?.maxOperations,
    GRAPHQL_WS_MAX_MESSAGES: webSocket?.maxMessagesPerMinute,
    GRAPHQL_WS_MAX_UNREAD_BYTES: webSocket?.maxUnreadBytes,
    GRAPHQL_WS_QUEUE: webSocket?.queue,
    GRAPHQL_WS_PING_MS: webSocket?.pingInterval,
    GRAPHQL_WS_INIT_MS: webSocket?.initTimeout,
    GRAPHQL_SHARED_SUBSCRIPTIONS: file.subscriptions?.shared?.join(','),
    GRAPHQL_RECHECK_MS: file.subscriptions?.recheck,
    GRAPHQL_OVERRIDE_LABELS: file.overrideLabels?.join(','),
    GATEWAY_EXECUTOR: file.executor,
    APOLLO_REPORTING: file.telemetry?.apolloReporting,
    SLOW_OPERATION_MS: file.logSlowOperations,
    TRUSTED_DOCUMENTS: trustedDocuments,
    TRUSTED_DOCUMENTS_ONLY: file.trustedDocuments?.only,
    SUBGRAPH_TIMEOUT_MS: all?.timeout,
    SUBGRAPH_CONNECTIONS: all?.connections,
    SUBGRAPH_RETRY_SHARE: all?.retryShare,
    SUBGRAPH_BREAKER_FAILURES: all?.breakerFailures,
    SUBGRAPH_BREAKER_MS: all?.breakerPause,
    SUBGRAPH_MAX_ANSWER_BYTES: all?.maxAnswerBytes,
    SUBGRAPH_ERRORS: file.includeSubgraphErrors === undefined ? undefined : shownOrMasked(file.includeSubgraphErrors),
  };
  return Object.fromEntries(
    Object.entries(said).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
}

const shownOrMasked = (shown: boolean) => (shown ? 'shown' : 'masked');

const timeoutsIn = ({ trafficShaping }: ConfigurationFile): Record<string, number> =>
  Object.fromEntries(
    Object.entries(trafficShaping?.subgraphs ?? {}).flatMap(([name, { timeout }]) =>
      timeout === undefined ? [] : [[name, timeout]],
    ),
  );

const none = { request: [], response: [] };

/** @param ofVariable the rules of FORWARD_HEADERS, which follow those of the file for all subgraphs */
function rulesOf({ headers }: ConfigurationFile, ofVariable: HeaderRules): HeaderRules {
  const { request, response } = headers?.all ?? none;
  return { all: { request: [...request, ...ofVariable.all.request], response }, subgraphs: headers?.subgraphs ?? {} };
}
