import {
  allowedOriginsIn,
  milliseconds,
  originVariables,
  parseConfig,
  readAll,
  shutdownDelay,
  trustedProxies,
  webAddress,
  webUrl,
} from '@foyer/shared/config/config';
import { z } from 'zod';

import { readConfig as readMediaConfig } from '../config.ts';

export const Env = z
  .object({
    UPLOAD_SERVER_PORT: z.coerce.number().int().min(0).max(65_535).default(4080),
    UPLOAD_SERVER_HOST: z.string().default('127.0.0.1'),
    HOOK_URL: webUrl,
    TRUSTED_PROXIES: trustedProxies,
    ...originVariables,
    PUBLIC_URL: webAddress.optional(),
    SHUTDOWN_DELAY_MS: shutdownDelay,
    DRAIN_MS: milliseconds(0).default(12_000),
    LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('warn'),
  })
  .transform((env) => ({
    port: env.UPLOAD_SERVER_PORT,
    host: env.UPLOAD_SERVER_HOST,
    /** Where completed uploads are reported: `/hooks/tusd` of the server. */
    hookUrl: new URL(env.HOOK_URL),
    trustedProxies: env.TRUSTED_PROXIES,
    /** The origins whose pages may upload here, besides that of `PUBLIC_URL`. */
    allowedOrigins: [...(env.PUBLIC_URL ? [new URL(env.PUBLIC_URL).origin] : []), ...allowedOriginsIn(env)],
    shutdownDelayMs: env.SHUTDOWN_DELAY_MS,
    /** How long requests may take to end when the process is told to stop; an upload that is cut off is resumed. */
    drainMs: env.DRAIN_MS,
    logLevel: env.LOG_LEVEL,
  }));

/** Reads the variables of the upload server, and those of media that both processes share. */
export function readConfig(env: NodeJS.ProcessEnv) {
  readAll([() => parseConfig(Env, env), () => readMediaConfig(env)]);
  return { ...parseConfig(Env, env), media: readMediaConfig(env) };
}

export type Config = ReturnType<typeof readConfig>;
