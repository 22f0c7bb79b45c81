import { origin, redisUrl, trustedProxy } from '@foyer/shared/config/config';
import { z } from 'zod';

import { algorithms } from '../authentication/verify-token.ts';
import { headers } from './header-schema.ts';
import {
  count,
  duration,
  durationOrNone,
  headerName,
  headerText,
  httpUrl,
  oneOrMore,
  originPattern,
  orNone,
} from './values.ts';

const name = headerName((text) => /^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(text));

const supergraph = z.strictObject({
  path: z.string().min(1).optional().describe('The supergraph file, relative to this file. `--supergraph` wins.'),
  reload: duration.optional().describe('How often it is read again. Default: 1s.'),
});

const listen = z.strictObject({
  host: z.string().min(1).optional().describe('The address to listen at. Default: 127.0.0.1.'),
  port: z.int().min(0).max(65_535).optional().describe('Default: 4000.'),
});

const jwks = z.strictObject({
  url: httpUrl.describe('Where the keys are.'),
  issuer: oneOrMore.optional().describe('The accepted values of `iss`; any without.'),
  audience: oneOrMore.optional().describe('The accepted values of `aud`; any without.'),
  algorithms: z
    .array(z.enum(algorithms))
    .min(1)
    .default([...algorithms])
    .describe('The accepted algorithms; by default all asymmetric ones. There are no others.'),
  headers: z.record(name, headerText).default({}).describe('Headers of the requests for the keys.'),
});

const jwt = z.strictObject({
  jwks: z.array(jwks).min(1).max(20).describe('Key sets whose keys prove tokens.'),
  header: z
    .strictObject({
      name: name.default('authorization').describe('Default: Authorization.'),
      prefix: z.string().default('Bearer').describe('The word before the token; none if empty. Default: Bearer.'),
    })
    .prefault({})
    .describe('The header that holds the token.'),
  cookie: z
    .string()
    .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'must be the name of a cookie')
    .optional()
    .describe('A cookie that may hold the token instead. An invalid one is ignored.'),
  ignoreOtherPrefixes: z
    .boolean()
    .default(false)
    .describe('Whether a header with another prefix counts as none; otherwise it is an invalid token.'),
  onError: z
    .enum(['refuse', 'continue'])
    .default('refuse')
    .describe("Whether a request with an invalid token is refused, or continues as nobody's."),
});

const cors = z.strictObject({
  origins: z.array(origin).default([]).describe('Exact origins whose pages may use the gateway.'),
  matchOrigins: z
    .array(originPattern)
    .default([])
    .describe('Regular expressions for further origins; each must fit a whole origin.'),
  allowCredentials: z
    .boolean()
    .default(false)
    .describe('Whether these pages may use the cookies of their visitors. Default: false.'),
  methods: z
    .array(z.enum(['GET', 'HEAD', 'POST']))
    .min(1)
    .optional()
    .describe('Default: all.'),
  allowHeaders: z.array(name).default([]).describe('Further request headers that pages may send.'),
  exposeHeaders: z.array(name).default([]).describe('Further response headers that pages may read.'),
  maxAge: duration.optional().describe('For how long browsers may cache a preflight. Default: 2h.'),
});

const webSocket = z.strictObject({
  maxConnections: count.optional().describe('WebSockets in all.'),
  maxConnectionsPerAddress: orNone.optional().describe('WebSockets from an address; 0 for no limit.'),
  maxOperations: count.optional().describe('Concurrent operations on a WebSocket.'),
  maxMessagesPerMinute: orNone.optional().describe('Messages and pings on a WebSocket; 0 for no limit.'),
  maxUnreadBytes: count.optional().describe('Unread bytes of a client that sends another request.'),
  queue: count.optional().describe('Events that wait for a slow client.'),
  pingInterval: duration.optional().describe('How often a client must show that it is connected.'),
  initTimeout: duration.optional().describe('The time for `connection_init`.'),
});

const limits = z.strictObject({
  maxRequestBytes: count.optional().describe('A request, or a message on a WebSocket.'),
  maxTokens: count.optional().describe('Tokens of a document.'),
  maxDepth: count.optional().describe('Levels of a document.'),
  maxAliases: count.optional().describe('Aliases of a document.'),
  maxRootFields: count.optional().describe('Root fields of an operation.'),
  maxFields: count.optional().describe('Fields of an operation; a fragment counts each time it is spread.'),
  maxCost: orNone.optional().describe('The cost of an operation, by @cost and @listSize; 0 for no limit.'),
  maxPlanningTime: durationOrNone
    .optional()
    .describe('The time that new operations and invalid documents of a caller may take in a minute; 0s for no limit.'),
  assumedListSize: count.optional().describe('The assumed length of a list without a size.'),
  maxRequestsPerViewer: orNone.optional().describe('Requests a minute of one viewer; 0 for no limit.'),
  maxRequestsPerAddress: orNone.optional().describe('Requests a minute from one address; 0 for no limit.'),
  maxStreamsPerViewer: orNone.optional().describe('Subscriptions of one viewer; 0 for no limit.'),
  webSocket: webSocket.optional().describe('Limits of WebSockets.'),
});

const timeout = duration.optional().describe('The time for a request, and to connect for a stream. Default: 10s.');

const trafficShaping = z.strictObject({
  all: z
    .strictObject({
      timeout,
      connections: count.optional().describe('Pooled connections to each subgraph.'),
      retryShare: z.number().min(0).max(1).optional().describe('Retries as a share of the queries.'),
      breakerFailures: count.optional().describe('Failures in a row after which a subgraph is not called.'),
      breakerPause: duration.optional().describe('For how long it is not called then.'),
      maxAnswerBytes: count.optional().describe('The size of a response, or of an event.'),
    })
    .optional()
    .describe('For all subgraphs.'),
  subgraphs: z.record(z.string(), z.strictObject({ timeout })).optional().describe('For single subgraphs, by name.'),
});

const rootField = z.string().regex(/^[_A-Za-z][_0-9A-Za-z]*$/, 'must be the name of a root field');

/** The configuration file of a standalone gateway. Where an environment variable says the same, the variable wins. */
export const ConfigurationFile = z
  .strictObject({
    $schema: z.string().optional().describe('The address of this schema, for editors.'),
    supergraph: supergraph.optional().describe('What the gateway serves.'),
    listen: listen.optional().describe('Where the gateway listens.'),
    healthCheck: z
      .strictObject({
        path: z
          .string()
          .regex(/^(\/[\w.~-]+)+$/, 'must be a path such as /health')
          .optional()
          .describe('The path of `…/live` and `…/ready`. Default: /health.'),
      })
      .optional()
      .describe('Liveness and readiness.'),
    introspection: z.boolean().optional().describe('Whether clients may read the schema. Default: not in production.'),
    sandbox: z.boolean().optional().describe('Whether browsers get a landing page. Default: not in production.'),
    overrideSubgraphUrl: z
      .record(z.string(), httpUrl)
      .optional()
      .describe('Addresses of subgraphs, by name, instead of those in the supergraph.'),
    headers: headers.optional().describe('Which headers go from clients to subgraphs, and back.'),
    authentication: z
      .strictObject({ jwt: jwt.describe('JSON Web Tokens of issuers that you trust.') })
      .optional()
      .describe('Who the caller is; without it, nobody.'),
    cors: cors.optional().describe('Which pages of other origins may use the gateway; none without.'),
    limits: limits.optional().describe('What is refused before it is executed.'),
    trafficShaping: trafficShaping.optional().describe('How subgraphs are called.'),
    trustedDocuments: z
      .strictObject({
        path: z.string().min(1).describe('A JSON file of documents by id, or a manifest, relative to this file.'),
        only: z.boolean().optional().describe('Whether every other document is refused. Default: false.'),
      })
      .optional()
      .describe('Documents that clients request by id.'),
    subscriptions: z
      .strictObject({
        shared: z
          .array(rootField)
          .optional()
          .describe(
            'Root fields whose equal subscriptions share one upstream. Only fields that send events and no initial state: a client that joins later does not get what was sent before.',
          ),
        recheck: duration
          .optional()
          .describe('How often the credential of an open stream is verified again. Default: 5s.'),
      })
      .optional()
      .describe('Subscriptions.'),
    overrideLabels: z
      .array(z.string().min(1))
      .optional()
      .describe('The labels of @override that apply, beside percent(…).'),
    executor: z.enum(['foyer', 'apollo']).optional().describe('Whose executor runs query plans. Default: foyer.'),
    telemetry: z
      .strictObject({
        apolloReporting: z
          .boolean()
          .optional()
          .describe('Whether reports may be sent to Apollo (APOLLO_KEY, APOLLO_GRAPH_REF). Default: false.'),
      })
      .optional()
      .describe('What is reported, and to whom. Metrics and traces have variables of their own.'),
    includeSubgraphErrors: z
      .boolean()
      .optional()
      .describe('Whether clients see the errors of subgraphs unchanged. Default: false.'),
    trustedProxies: z
      .array(trustedProxy)
      .optional()
      .describe("Addresses or networks of proxies whose X-Forwarded-For names the client's address."),
    redis: z
      .strictObject({ url: redisUrl.describe('redis:// or rediss://') })
      .optional()
      .describe('Counts requests across all gateways.'),
    logLevel: z
      .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
      .optional()
      .describe('Default: warn.'),
    shutdownDelay: duration
      .optional()
      .describe(
        'How long the gateway goes on taking requests when it is told to stop, while it is not ready. Default: 0s.',
      ),
    drain: duration
      .optional()
      .describe(
        'How long requests may take to end when the gateway is told to stop. Default: 2s more than the longest timeout.',
      ),
    logSlowOperations: durationOrNone
      .optional()
      .describe('Operations that take longer are logged; 0s for none. Default: 1s.'),
  })
  .meta({
    $id: 'urn:foyer:gateway-configuration',
    title: 'Configuration of the standalone gateway',
    description: 'Texts may hold ${env.NAME}, or ${env.NAME:-default}. Environment variables win over this file.',
  });

/** A variable in a text; it may also be a part of the text. */
export const VARIABLE = /\$\{env\.([A-Za-z_]\w*)(?::-([^}]*))?\}/;

export type ConfigurationFile = z.output<typeof ConfigurationFile>;

/** The JSON schema of the file, which editors use (draft 7, as their YAML plugins know no later one). */
export const configurationJsonSchema = () =>
  z.toJSONSchema(ConfigurationFile, {
    io: 'input',
    target: 'draft-7',
    override({ jsonSchema }) {
      const { format, pattern } = jsonSchema;
      if (jsonSchema.type !== 'string' || (format ?? pattern) === undefined) return;
      for (const key of ['format', 'pattern'] as const) delete jsonSchema[key];
      const form = { ...(format !== undefined && { format }), ...(pattern !== undefined && { pattern }) };
      Object.assign(jsonSchema, { anyOf: [form, { pattern: VARIABLE.source }] });
    },
  });
