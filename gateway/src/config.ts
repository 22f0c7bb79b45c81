import { flag, parseConfig } from '@foyer/shared/config';
import { z } from 'zod';

const count = z.coerce.number().int().positive();
const list = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean),
  );

const origins = list.pipe(
  z.array(
    z.string().refine((origin) => URL.canParse(origin) && new URL(origin).origin === origin, {
      message: 'must be origins such as https://shop.example, separated by commas',
    }),
  ),
);

const Env = z
  .object({
    NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
    ALLOWED_ORIGINS: origins,
    TRUSTED_PROXIES: list,
    INTROSPECTION_ENABLED: flag.optional(),
    SANDBOX_ENABLED: flag.optional(),
    GRAPHQL_MAX_BODY_BYTES: count.default(512 * 1024),
    GRAPHQL_MAX_TOKENS: count.default(2_000),
    GRAPHQL_MAX_DEPTH: count.default(12),
    GRAPHQL_MAX_ALIASES: count.default(30),
    GRAPHQL_MAX_ROOT_FIELDS: count.default(20),
    GRAPHQL_MAX_FIELDS: count.default(1_000),
    GRAPHQL_WS_MAX_CONNECTIONS: count.default(5_000),
    GRAPHQL_WS_MAX_OPERATIONS: count.default(50),
    GRAPHQL_WS_QUEUE: count.default(100),
  })
  .transform((env) => ({
    /** Pages of these origins may use the session cookie, besides our own. */
    allowedOrigins: env.ALLOWED_ORIGINS,
    trustedProxies: env.TRUSTED_PROXIES,
    introspection: env.INTROSPECTION_ENABLED ?? env.NODE_ENV !== 'production',
    sandbox: env.SANDBOX_ENABLED ?? env.NODE_ENV !== 'production',
    limits: {
      bodyBytes: env.GRAPHQL_MAX_BODY_BYTES,
      tokens: env.GRAPHQL_MAX_TOKENS,
      depth: env.GRAPHQL_MAX_DEPTH,
      aliases: env.GRAPHQL_MAX_ALIASES,
      rootFields: env.GRAPHQL_MAX_ROOT_FIELDS,
      /** Fields of one operation, each fragment counted as often as it is spread. */
      fields: env.GRAPHQL_MAX_FIELDS,
    },
    webSocket: {
      connections: env.GRAPHQL_WS_MAX_CONNECTIONS,
      /** Operations that one connection may have under way. */
      operations: env.GRAPHQL_WS_MAX_OPERATIONS,
      /** Events that wait for one slow client before the oldest is dropped. */
      queue: env.GRAPHQL_WS_QUEUE,
    },
  }));

export type Config = z.output<typeof Env>;

export const readConfig = (env: NodeJS.ProcessEnv): Config => parseConfig(Env, env);
