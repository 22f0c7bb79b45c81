import { resolve } from 'node:path';

import { flag, list, origin, parseConfig, redisUrl } from '@foyer/shared/config/config';
import { z } from 'zod';

import { apartFrom } from './content-origin.ts';

/** Parts that are embedded when their variable is unset: which variable asks for the real thing. */
export const embeddable = {
  database: 'DATABASE_URL',
  'identity provider': 'IDP_URL',
  'payment gateway': 'PAYMENT_GATEWAY_URL',
  mail: 'SMTP_URL',
} as const;

/** Where a process stands, and how it watches over its work. */
export const PlaceEnv = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
  PORT: z.coerce
    .number('must be a port number')
    .int()
    .min(1, 'must be a port number')
    .max(65_535, 'must be a port number')
    .default(4000),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: z.url('must be a URL such as https://foyer.example').optional(),
  CONTENT_ORIGIN: origin.optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('warn'),
  TRUSTED_PROXIES: list,
  DEMO_PASSWORD: z.string().min(8).default('Foyer-demo-1'),
  SEED_DEMO: flag.optional(),
  DEMO_ENABLED: flag.optional(),
  REDIS_URL: redisUrl.optional(),
  JOB_HEARTBEAT_SECONDS: z.coerce.number().int().min(10).default(15),
  JOB_LOOK_EVERY_SECONDS: z.coerce.number().int().min(1).default(10),
});

const publicUrlOf = ({ PUBLIC_URL, PORT }: { PUBLIC_URL?: string | undefined; PORT: number }) =>
  (PUBLIC_URL ?? `http://localhost:${PORT}`).replace(/\/$/, '');

export const placeOf = (env: z.output<typeof PlaceEnv>) => ({
  production: env.NODE_ENV === 'production',
  port: env.PORT,
  host: env.HOST,
  /** Where people reach this house, without a slash at the end. */
  publicUrl: publicUrlOf(env),
  /** Where uploaded files and nodes are answered, when that is not here. */
  contentOrigin: apartFrom(publicUrlOf(env), env.CONTENT_ORIGIN),
  logLevel: env.LOG_LEVEL,
  trustedProxies: env.TRUSTED_PROXIES,
  demoPassword: env.DEMO_PASSWORD,
  seedDemo: env.SEED_DEMO ?? env.NODE_ENV !== 'production',
  /** Whether the storefront demonstration is served. */
  demo: env.DEMO_ENABLED ?? env.NODE_ENV !== 'production',
  /** What processes share besides the database; unset, each has its own. */
  redisUrl: env.REDIS_URL,
  /** How soon the work of a process that has died is taken over. */
  jobs: { heartbeatSeconds: env.JOB_HEARTBEAT_SECONDS, lookEverySeconds: env.JOB_LOOK_EVERY_SECONDS },
});

export type Place = ReturnType<typeof placeOf>;

export const databaseUrl = z.url({ protocol: /^postgres(ql)?$/, message: 'must be a postgresql:// URL' });

const Env = PlaceEnv.extend({
  DATA_DIR: z.string().default('.data'),
  DATABASE_URL: databaseUrl.optional(),
  IDP_URL: z.url().optional(),
  PAYMENT_GATEWAY_URL: z.url().optional(),
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
    ...placeOf(env),
    dataDir: resolve(env.DATA_DIR),
    databaseUrl: env.DATABASE_URL,
    idpUrl: env.IDP_URL,
    paymentGatewayUrl: env.PAYMENT_GATEWAY_URL,
    smtpUrl: env.SMTP_URL,
  }));

export type Config = z.output<typeof Env>;

export const readConfig = (env: NodeJS.ProcessEnv): Config => parseConfig(Env, env);
