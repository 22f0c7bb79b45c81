import {
  allowedOriginsIn,
  flag,
  list,
  milliseconds,
  originVariables,
  parseConfig,
  redisUrl,
  shutdownDelay,
  trustedProxies,
} from '@foyer/shared/config/config';
import { drainAfter } from '@foyer/shared/http/close-server';
import { z } from 'zod';

import { isForwardable } from './header-rules/names.ts';
import { propagating } from './header-rules/rules.ts';

const count = z.coerce.number().int().positive();
/** A limit, or 0 for none. */
const orNone = z.coerce.number().int().nonnegative();

const noTimeouts: Readonly<Record<string, number>> = {};

export const Env = z
  .object({
    NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
    ...originVariables,
    TRUSTED_PROXIES: trustedProxies,
    INTROSPECTION_ENABLED: flag.optional(),
    SANDBOX_ENABLED: flag.optional(),
    GRAPHQL_MAX_BODY_BYTES: count.default(512 * 1024),
    GRAPHQL_MAX_TOKENS: count.default(2_000),
    GRAPHQL_MAX_DEPTH: count.default(12),
    GRAPHQL_MAX_ALIASES: count.default(30),
    GRAPHQL_MAX_ROOT_FIELDS: count.default(20),
    GRAPHQL_MAX_FIELDS: count.default(1_000),
    GRAPHQL_MAX_COST: orNone.default(100_000),
    GRAPHQL_PLANNING_MS: orNone.default(10_000),
    GRAPHQL_ASSUMED_LIST_SIZE: count.default(10),
    SLOW_OPERATION_MS: orNone.default(1_000),
    GRAPHQL_REQUESTS_PER_VIEWER: orNone.default(3_000),
    GRAPHQL_REQUESTS_PER_ADDRESS: orNone.default(6_000),
    TRUSTED_DOCUMENTS: z.string().optional(),
    TRUSTED_DOCUMENTS_ONLY: flag.default(false),
    GRAPHQL_WS_MAX_CONNECTIONS: count.default(5_000),
    GRAPHQL_WS_MAX_OPERATIONS: count.default(50),
    GRAPHQL_WS_QUEUE: count.default(100),
    GRAPHQL_WS_MAX_MESSAGES: orNone.default(6_000),
    GRAPHQL_WS_MAX_UNREAD_BYTES: count.default(16 * 1024 * 1024),
    GRAPHQL_WS_PING_MS: milliseconds().default(12_000),
    GRAPHQL_WS_INIT_MS: milliseconds().default(3_000),
    GRAPHQL_WS_MAX_PER_ADDRESS: orNone.default(500),
    GRAPHQL_MAX_STREAMS_PER_VIEWER: orNone.default(200),
    GRAPHQL_RECHECK_MS: milliseconds().default(5_000),
    GRAPHQL_SHARED_SUBSCRIPTIONS: list,
    GRAPHQL_OVERRIDE_LABELS: list,
    GATEWAY_EXECUTOR: z.enum(['foyer', 'apollo']).default('foyer'),
    APOLLO_REPORTING: flag.default(false),
    SUBGRAPH_COMPILED: flag.default(true),
    DRAIN_MS: milliseconds(0).optional(),
    SUBGRAPH_TIMEOUT_MS: milliseconds().default(10_000),
    SUBGRAPH_CONNECTIONS: count.default(64),
    SUBGRAPH_RETRY_SHARE: z.coerce.number().min(0).max(1).default(0.1),
    SUBGRAPH_BREAKER_FAILURES: count.default(5),
    SUBGRAPH_BREAKER_MS: milliseconds().default(1_000),
    SUBGRAPH_MAX_ANSWER_BYTES: count.default(32 * 1024 * 1024),
    SUBGRAPH_ERRORS: z.enum(['masked', 'shown']).default('masked'),
    FORWARD_HEADERS: list
      .transform((names) => names.map((name) => name.toLowerCase()))
      .refine((names) => names.every(isForwardable), 'names a header that can not be passed on, such as Host'),
  })
  .refine((env) => env.TRUSTED_DOCUMENTS !== undefined || !env.TRUSTED_DOCUMENTS_ONLY, {
    path: ['TRUSTED_DOCUMENTS'],
    message: 'must name a file where TRUSTED_DOCUMENTS_ONLY is on: every document would be refused',
  })
  .transform((env) => ({
    /** Origins that have the same rights as our own. */
    allowedOrigins: allowedOriginsIn(env),
    trustedProxies: env.TRUSTED_PROXIES,
    introspection: env.INTROSPECTION_ENABLED ?? env.NODE_ENV !== 'production',
    sandbox: env.SANDBOX_ENABLED ?? env.NODE_ENV !== 'production',
    limits: {
      bodyBytes: env.GRAPHQL_MAX_BODY_BYTES,
      tokens: env.GRAPHQL_MAX_TOKENS,
      depth: env.GRAPHQL_MAX_DEPTH,
      aliases: env.GRAPHQL_MAX_ALIASES,
      rootFields: env.GRAPHQL_MAX_ROOT_FIELDS,
      /** Fields of one operation; each fragment counts as often as it is spread. */
      fields: env.GRAPHQL_MAX_FIELDS,
      /** The highest cost of an operation, by `@cost` and `@listSize`; 0 is no limit. */
      cost: env.GRAPHQL_MAX_COST,
      /** Milliseconds of planning that a caller may cause a minute; 0 is no limit. */
      planningMs: env.GRAPHQL_PLANNING_MS,
      /** The assumed length of a list without `@listSize`. */
      listSize: env.GRAPHQL_ASSUMED_LIST_SIZE,
    },
    /** An operation that takes longer is logged; 0 for none. */
    slowMs: env.SLOW_OPERATION_MS,
    /** Operations a minute; 0 is no limit. */
    rates: { perViewer: env.GRAPHQL_REQUESTS_PER_VIEWER, perAddress: env.GRAPHQL_REQUESTS_PER_ADDRESS },
    trustedDocuments: {
      /** A JSON file of documents by their id. */
      file: env.TRUSTED_DOCUMENTS,
      /** Whether every other document is refused. */
      only: env.TRUSTED_DOCUMENTS_ONLY,
    },
    webSocket: {
      connections: env.GRAPHQL_WS_MAX_CONNECTIONS,
      /** Operations that one connection may have under way. */
      operations: env.GRAPHQL_WS_MAX_OPERATIONS,
      /** How many events wait for one slow client before the oldest is dropped. */
      queue: env.GRAPHQL_WS_QUEUE,
      /** Messages that one connection may send a minute; 0 is no limit. */
      messages: env.GRAPHQL_WS_MAX_MESSAGES,
      /** Unread bytes after which a client that sends another message is disconnected. */
      unreadBytes: env.GRAPHQL_WS_MAX_UNREAD_BYTES,
      /** The interval of pings, each of which a client must answer before the next. */
      pingMs: env.GRAPHQL_WS_PING_MS,
      /** How long a client may take to send `connection_init`. */
      initMs: env.GRAPHQL_WS_INIT_MS,
      connectionsPerAddress: env.GRAPHQL_WS_MAX_PER_ADDRESS,
    },
    streams: {
      perViewer: env.GRAPHQL_MAX_STREAMS_PER_VIEWER,
      /** How often the credential of an open stream is verified again. */
      recheckMs: env.GRAPHQL_RECHECK_MS,
      /** Root fields whose events are the same for equal subscriptions with equal rights; `*` for all. */
      shared: env.GRAPHQL_SHARED_SUBSCRIPTIONS,
    },
    /** The labels of `@override` that apply, beside `percent(…)`. */
    overrideLabels: env.GRAPHQL_OVERRIDE_LABELS,
    /** How long operations may take to end when the process is told to stop. */
    drainMs: env.DRAIN_MS ?? drainAfter(env.SUBGRAPH_TIMEOUT_MS),
    /** Whose executor runs query plans. */
    executor: env.GATEWAY_EXECUTOR,
    /** Whether ApolloServer and ApolloGateway may report to Apollo (`APOLLO_KEY`, `APOLLO_GRAPH_REF`). */
    apolloReporting: env.APOLLO_REPORTING,
    /** How subgraphs are called; most of it concerns those on the network. */
    subgraphs: {
      /** Whether documents for subgraphs in this process are compiled (graphql-jit) or interpreted (graphql-js). */
      compiled: env.SUBGRAPH_COMPILED,
      timeoutMs: env.SUBGRAPH_TIMEOUT_MS,
      connections: env.SUBGRAPH_CONNECTIONS,
      /** Retries as a share of the queries. */
      retryShare: env.SUBGRAPH_RETRY_SHARE,
      /** Failures in a row after which a subgraph is left alone for a while. */
      breakerFailures: env.SUBGRAPH_BREAKER_FAILURES,
      breakerMs: env.SUBGRAPH_BREAKER_MS,
      answerBytes: env.SUBGRAPH_MAX_ANSWER_BYTES,
      /** Whether clients see all errors of subgraphs (`shown`), or refusals only (`masked`). */
      errors: env.SUBGRAPH_ERRORS,
      /** The timeouts of single subgraphs that differ from `timeoutMs`. */
      timeoutsMs: noTimeouts,
      headers: propagating(env.FORWARD_HEADERS),
    },
  }));

export type Config = z.output<typeof Env>;

export const readConfig = (env: NodeJS.ProcessEnv): Config => parseConfig(Env, env);

const StandaloneEnv = z
  .object({
    PORT: z.coerce.number().int().min(0).max(65_535).default(4000),
    HOST: z.string().default('127.0.0.1'),
    LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('warn'),
    REDIS_URL: redisUrl.optional(),
    SUPERGRAPH_RELOAD_MS: milliseconds().default(1_000),
    SHUTDOWN_DELAY_MS: shutdownDelay,
  })
  .transform((env) => ({
    port: env.PORT,
    host: env.HOST,
    logLevel: env.LOG_LEVEL,
    /** Counts requests across all gateways. */
    redisUrl: env.REDIS_URL,
    /** How often the supergraph file is read again. */
    reloadMs: env.SUPERGRAPH_RELOAD_MS,
    /** How long it goes on taking requests, but is not ready, when it is told to stop. */
    shutdownDelayMs: env.SHUTDOWN_DELAY_MS,
  }));

/** The further configuration of a standalone gateway. */
export type StandaloneConfig = z.output<typeof StandaloneEnv>;

export const readStandaloneConfig = (env: NodeJS.ProcessEnv): StandaloneConfig => parseConfig(StandaloneEnv, env);
