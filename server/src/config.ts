import { resolve } from 'node:path';

import {
  ConfigError,
  demoPassword,
  flag,
  milliseconds,
  origin,
  parseConfig,
  redisUrl,
  shutdownDelay,
  trustedProxies,
  webAddress,
} from '@foyer/shared/config/config';
import { drainAfter } from '@foyer/shared/http/close-server';
import { z } from 'zod';

/** The services that are embedded while their variable is unset, and the variable that selects a real one. */
export const embeddable = {
  database: 'DATABASE_URL',
  'identity provider': 'IDP_URL',
  'payment gateway': 'PAYMENT_GATEWAY_URL',
  mail: 'SMTP_URL',
} as const;

/** The variables that every process reads. */
export const ServerEnv = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
  PORT: z.coerce
    .number('must be a port number')
    .int()
    .min(1, 'must be a port number')
    .max(65_535, 'must be a port number')
    .default(4000),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: webAddress.optional(),
  CONTENT_ORIGIN: origin.optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('warn'),
  TRUSTED_PROXIES: trustedProxies,
  DEMO_PASSWORD: demoPassword,
  SEED_DEMO: flag.optional(),
  DEMO_ENABLED: flag.optional(),
  REDIS_URL: redisUrl.optional(),
  SUBGRAPH_TIMEOUT_MS: milliseconds().default(10_000),
  DRAIN_MS: milliseconds(0).optional(),
  SHUTDOWN_DELAY_MS: shutdownDelay,
  JOB_HEARTBEAT_SECONDS: z.coerce.number().int().min(10).max(86_400).default(15),
  JOB_LOOK_EVERY_SECONDS: z.coerce.number().int().min(1).max(86_400).default(10),
});

const publicUrlOf = ({ PUBLIC_URL, PORT }: { PUBLIC_URL?: string | undefined; PORT: number }) =>
  (PUBLIC_URL ?? `http://localhost:${PORT}`).replace(/\/$/, '');

/**
 * Returns the origin for foreign content, if one is configured. Cookies ignore ports, so it needs a host of its own.
 *
 * @throws {ConfigError} when it has the host of `publicUrl`: browsers would send it our cookies
 */
function contentOriginOf(publicUrl: string, contentOrigin: string | undefined): string | undefined {
  if (contentOrigin && new URL(contentOrigin).hostname === new URL(publicUrl).hostname)
    throw new ConfigError('CONTENT_ORIGIN: must have another host than PUBLIC_URL');
  return contentOrigin;
}

export const serverConfigOf = (env: z.output<typeof ServerEnv>) => ({
  production: env.NODE_ENV === 'production',
  port: env.PORT,
  host: env.HOST,
  /** The address that browsers use, without a slash at the end. */
  publicUrl: publicUrlOf(env),
  /** The origin that serves uploaded files and the answers of nodes, if it is not `publicUrl`. */
  contentOrigin: contentOriginOf(publicUrlOf(env), env.CONTENT_ORIGIN),
  logLevel: env.LOG_LEVEL,
  trustedProxies: env.TRUSTED_PROXIES,
  demoPassword: env.DEMO_PASSWORD,
  seedDemo: env.SEED_DEMO ?? env.NODE_ENV !== 'production',
  /** Whether the storefront demonstration is served. */
  demo: env.DEMO_ENABLED ?? env.NODE_ENV !== 'production',
  /** Where processes share events and counters; unset, each process keeps its own. */
  redisUrl: env.REDIS_URL,
  /** How long requests may take to end when the process is told to stop. */
  drainMs: env.DRAIN_MS ?? drainAfter(env.SUBGRAPH_TIMEOUT_MS),
  shutdownDelayMs: env.SHUTDOWN_DELAY_MS,
  /** How soon another process takes over the jobs of one that has died. */
  jobs: { heartbeatSeconds: env.JOB_HEARTBEAT_SECONDS, checkEverySeconds: env.JOB_LOOK_EVERY_SECONDS },
});

export type ServerConfig = ReturnType<typeof serverConfigOf>;

export const databaseUrl = z.url({
  protocol: /^postgres(ql)?$/,
  message:
    'must be a URL such as postgresql://user:password@host:5432/database, where %40 stands for @ in the password',
});

export const Env = ServerEnv.extend({
  DATA_DIR: z.string().default('.data'),
  DATABASE_URL: databaseUrl.optional(),
  IDP_URL: webAddress.optional(),
  PAYMENT_GATEWAY_URL: webAddress.optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/, message: 'must be a smtp:// URL' }).optional(),
})
  .superRefine((env, context) => {
    if (env.NODE_ENV !== 'production') return;
    for (const [part, variable] of Object.entries(embeddable)) {
      if (env[variable]) continue;
      context.addIssue({ code: 'custom', path: [variable], message: `the embedded ${part} may not run in production` });
    }
  })
  .transform((env) => ({
    ...serverConfigOf(env),
    dataDir: resolve(env.DATA_DIR),
    databaseUrl: env.DATABASE_URL,
    idpUrl: env.IDP_URL,
    paymentGatewayUrl: env.PAYMENT_GATEWAY_URL,
    smtpUrl: env.SMTP_URL,
  }));

export type Config = z.output<typeof Env>;

export const readConfig = (env: NodeJS.ProcessEnv): Config => parseConfig(Env, env);
