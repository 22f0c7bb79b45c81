import { allowedOriginsIn, flag, originVariables, parseConfig, webAddress } from '@foyer/shared/config/config';
import { z } from 'zod';

/** A page of the demonstration, if it is served. */
const inDemo = (env: { NODE_ENV: string; DEMO_ENABLED?: boolean | undefined; PUBLIC_URL: string }, place: string) =>
  (env.DEMO_ENABLED ?? env.NODE_ENV !== 'production')
    ? `${env.PUBLIC_URL.replace(/\/$/, '')}/demo#/${place}`
    : undefined;

const secret = z.string().min(16, 'must have at least 16 characters');

export const Env = z
  .object({
    NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
    REST_AUTH: z.enum(['documented', 'strict'], 'must be documented or strict').optional(),
    ...originVariables,
    PUBLIC_URL: webAddress,
    DEMO_ENABLED: flag.optional(),
    STOREFRONT_ORDER_URL: z
      .url()
      .refine((address) => /^https?:/.test(address) && address.includes('{orderNo}'), {
        message: 'must be an http or https address with {orderNo} in it',
      })
      .optional(),
    STOREFRONT_ACCOUNT_URL: z
      .url()
      .regex(/^https?:/, 'must be an http or https address')
      .optional(),
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
    /** The page of an order in the shop, where buyers go back to from a payment: `{orderNo}` stands for the number. */
    storefrontOrderUrl: env.STOREFRONT_ORDER_URL ?? inDemo(env, 'orders/{orderNo}'),
    /** Where customers sign in to the shop: the pages behind our mails lead there. */
    storefrontAccountUrl: env.STOREFRONT_ACCOUNT_URL ?? inDemo(env, 'account'),
  }));

export type Config = z.output<typeof Env>;

export const readConfig = (env: NodeJS.ProcessEnv): Config => parseConfig(Env, env);
