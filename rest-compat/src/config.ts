import { allowedOriginsIn, originVariables, parseConfig } from '@foyer/shared/config/config';
import { z } from 'zod';

const secret = z.string().min(16, 'must have at least 16 characters');

export const Env = z
  .object({
    NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
    REST_AUTH: z.enum(['documented', 'strict'], 'must be documented or strict').optional(),
    ...originVariables,
    PUBLIC_URL: z.url(),
    INTERNAL_PSK: secret.optional(),
    INTERNAL_PSK_PREVIOUS: secret.optional(),
  })
  .refine((env) => env.NODE_ENV !== 'production' || env.REST_AUTH !== undefined, {
    path: ['REST_AUTH'],
    message: 'choose documented (legacy clients send no token) or strict (docs/operations.md)',
  })
  .transform((env) => ({
    production: env.NODE_ENV === 'production',
    restAuth: env.REST_AUTH ?? ('documented' as const),
    /** The origins whose pages may send requests with cookies, and a login may redirect to. The first is our own. */
    allowedOrigins: [new URL(env.PUBLIC_URL).origin, ...allowedOriginsIn(env)],
    /** The accepted secrets of services, the current and the previous one. Without any, no service may call. */
    internalSecrets: [env.INTERNAL_PSK, env.INTERNAL_PSK_PREVIOUS].filter((given) => given !== undefined),
    publicUrl: env.PUBLIC_URL.replace(/\/$/, ''),
  }));

export type Config = z.output<typeof Env>;

export const readConfig = (env: NodeJS.ProcessEnv): Config => parseConfig(Env, env);
