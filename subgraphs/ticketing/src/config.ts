import { isThisMachine, networkList, openAddressPolicy } from '@foyer/shared/http/addresses/address-policy';
import {
  always,
  flag,
  lifetime,
  lines,
  mailbox,
  milliseconds,
  parseConfig,
  webAddress,
} from '@foyer/shared/config/config';
import { bucketName, S3Env } from '@foyer/shared/s3/variables';
import { z } from 'zod';

import { readSigningKey } from './ticket-codes/ticket-signer.ts';

/** An `int` of the database, which compares with it. */
const count = (otherwise: number) =>
  z.coerce
    .number()
    .int()
    .positive()
    .max(2 ** 31 - 1)
    .default(otherwise);

/** Ten years, as for other times: dates of some thousand years can't be written. */
const LATEST_SECONDS = 3_650 * 86_400;

/** Seconds after which something is retried, in growing order: `120,300,600`. */
const schedule = (otherwise: string) =>
  z
    .string()
    .default(otherwise)
    .transform((text) => text.split(',').map(Number))
    .refine(
      (all) =>
        all.every((after, at) => Number.isInteger(after) && after > (all[at - 1] ?? 0) && after <= LATEST_SECONDS),
      'must be growing numbers of seconds up to ten years, separated by commas',
    );

const gatewaySecret = z
  .string()
  .regex(/^[\w-]{43}=?$/, 'must be 32 bytes in base64url')
  .transform((text) => Buffer.from(text, 'base64url'));

const signingKey = lines.transform((text, context) => {
  try {
    return readSigningKey(text);
  } catch {
    context.addIssue({ code: 'custom', message: 'must be an Ed25519 private key, as PEM or JWK' });
    return z.NEVER;
  }
});

/** Says why production may not pay at this address: it is unencrypted, or belongs to a simulator on this machine. */
function problemOfGateway(url: string, networks: readonly string[]): string | undefined {
  const { protocol, hostname } = new URL(url);
  const host = hostname.replaceAll(/^\[|\]$/g, '');
  if (isThisMachine(host)) {
    const isListed = openAddressPolicy({ networks, services: [] }).problemOf(host) === undefined;
    return isListed ? undefined : 'may not be on this machine, unless PAYMENT_GATEWAY_NETWORKS lists its address';
  }
  return protocol === 'https:' ? undefined : 'must be an https:// URL in production';
}

export const Env = z
  .object({
    NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
    PUBLIC_URL: webAddress,
    PAYMENT_GATEWAY_URL: webAddress,
    PAYMENT_GATEWAY_PUBLIC_URL: webAddress.optional(),
    PAYMENT_GATEWAY_NETWORKS: networkList.default([]),
    PAYMENT_GATEWAY_SECRET: gatewaySecret,
    PAYMENT_GATEWAY_SECRET_PREVIOUS: gatewaySecret.optional(),
    PAYMENT_AGENT_TOKEN: z.string().min(1),
    PAYMENT_GATEWAY_TIMEOUT_MS: milliseconds().default(10_000),
    PAYMENT_DECRYPT_ENABLED: flag.optional(),
    ORDER_HOLD_MINUTES: lifetime('m').int().default(15),
    PAYMENT_PENDING_MINUTES: lifetime('m').int().default(30),
    PAYMENT_PENDING_CORPORATE_HOURS: lifetime('h').int().default(72),
    PAYMENT_REQUERY_SECONDS: schedule('120,300,600,900,1800'),
    TICKET_SIGNING_KEY: signingKey,
    TICKET_SIGNING_KEY_PREVIOUS: signingKey.optional(),
    MAIL_FROM: mailbox.default('Foyer <tickets@foyer.test>'),
    SMTP_URL: z.url({ protocol: /^smtps?$/, message: 'must be a smtp:// URL' }),
    LEGACY_JWT_SECRET: z.string().min(32, 'must have at least 32 characters'),
    CUSTOMER_TOKEN_HOURS: lifetime('h').int().default(24),
    RATE_LIMITS: z.enum(['on', 'off'], 'must be on or off').default('on'),
    GUEST_ORDERS_PER_MINUTE: count(120),
    INQUIRIES_PER_MINUTE: count(60),
    PAYMENT_TOKENS_PER_MINUTE: count(600),
    OPEN_ORDERS_PER_ADDRESS: count(200),
    OPEN_ORDERS_PER_BUYER: count(50),
    RECEIPTS_PER_MINUTE: count(60),
    RESENDS_PER_MINUTE: count(10),
    ...S3Env.shape,
    RECEIPTS_DIR: z.string().min(1).optional(),
    RECEIPTS_BUCKET: bucketName.default('foyer-receipts'),
    RECEIPTS_ACCESS_KEY: z.string().optional(),
    RECEIPTS_SECRET_KEY: z.string().optional(),
  })
  .refine((env) => (env.RECEIPTS_ACCESS_KEY === undefined) === (env.RECEIPTS_SECRET_KEY === undefined), {
    path: ['RECEIPTS_SECRET_KEY'],
    message: 'must be set together with RECEIPTS_ACCESS_KEY',
    ...always,
  })
  .superRefine((env, context) => {
    if (env.S3_ENDPOINT === undefined || env.RECEIPTS_ACCESS_KEY !== undefined) return;
    for (const name of ['S3_ACCESS_KEY', 'S3_SECRET_KEY'] as const)
      if (env[name] === undefined)
        context.addIssue({ code: 'custom', path: [name], message: 'is needed where S3_ENDPOINT is set' });
  })
  .superRefine((env, context) => {
    if (env.NODE_ENV !== 'production') return;
    for (const name of ['PAYMENT_GATEWAY_URL', 'PAYMENT_GATEWAY_PUBLIC_URL'] as const) {
      const message = env[name] && problemOfGateway(env[name], env.PAYMENT_GATEWAY_NETWORKS);
      if (message) context.addIssue({ code: 'custom', path: [name], message });
    }
  })
  .transform((env) => ({
    production: env.NODE_ENV === 'production',
    /** The public address of this server, without a slash at the end. */
    publicUrl: env.PUBLIC_URL.replace(/\/$/, ''),
    gateway: {
      url: env.PAYMENT_GATEWAY_URL,
      /** The address for browsers, when it differs. */
      publicUrl: env.PAYMENT_GATEWAY_PUBLIC_URL ?? env.PAYMENT_GATEWAY_URL,
      secret: env.PAYMENT_GATEWAY_SECRET,
      previousSecret: env.PAYMENT_GATEWAY_SECRET_PREVIOUS,
      agentToken: env.PAYMENT_AGENT_TOKEN,
      timeoutMs: env.PAYMENT_GATEWAY_TIMEOUT_MS,
    },
    decryptEnabled: env.PAYMENT_DECRYPT_ENABLED ?? env.NODE_ENV !== 'production',
    holdMinutes: env.ORDER_HOLD_MINUTES,
    openOrdersPerAddress: env.RATE_LIMITS === 'off' ? null : env.OPEN_ORDERS_PER_ADDRESS,
    openOrdersPerBuyer: env.RATE_LIMITS === 'off' ? null : env.OPEN_ORDERS_PER_BUYER,
    pendingMinutes: env.PAYMENT_PENDING_MINUTES,
    pendingCorporateHours: env.PAYMENT_PENDING_CORPORATE_HOURS,
    requerySeconds: env.PAYMENT_REQUERY_SECONDS,
    ticketSigningKey: env.TICKET_SIGNING_KEY,
    ticketSigningKeyPrevious: env.TICKET_SIGNING_KEY_PREVIOUS,
    mailFrom: env.MAIL_FROM,
    smtpUrl: env.SMTP_URL,
    legacyJwtSecret: env.LEGACY_JWT_SECRET,
    customerTokenHours: env.CUSTOMER_TOKEN_HOURS,
    receipts: receiptsOf(env),
    /** Requests per address; null when rate limits are off. */
    perMinute:
      env.RATE_LIMITS === 'off'
        ? null
        : {
            guestOrders: env.GUEST_ORDERS_PER_MINUTE,
            inquiries: env.INQUIRIES_PER_MINUTE,
            paymentTokens: env.PAYMENT_TOKENS_PER_MINUTE,
            receipts: env.RECEIPTS_PER_MINUTE,
            resends: env.RESENDS_PER_MINUTE,
          },
  }));

interface ReceiptVariables {
  S3_ENDPOINT?: string | undefined;
  S3_REGION: string;
  S3_ACCESS_KEY?: string | undefined;
  S3_SECRET_KEY?: string | undefined;
  STORE_TIMEOUT_MS: number;
  RECEIPTS_DIR?: string | undefined;
  RECEIPTS_BUCKET: string;
  RECEIPTS_ACCESS_KEY?: string | undefined;
  RECEIPTS_SECRET_KEY?: string | undefined;
}

/** Where printed receipts are kept: a bucket, else a folder, else nowhere. */
function receiptsOf(env: ReceiptVariables) {
  const accessKey = env.RECEIPTS_ACCESS_KEY ?? env.S3_ACCESS_KEY;
  const secretKey = env.RECEIPTS_SECRET_KEY ?? env.S3_SECRET_KEY;
  if (!env.S3_ENDPOINT || !accessKey || !secretKey) return { folder: env.RECEIPTS_DIR };
  return {
    s3: {
      endpoint: new URL(env.S3_ENDPOINT),
      region: env.S3_REGION,
      bucket: env.RECEIPTS_BUCKET,
      accessKey,
      secretKey,
      timeoutMs: env.STORE_TIMEOUT_MS,
    },
  };
}

export type Config = z.output<typeof Env>;

export const readConfig = (env: NodeJS.ProcessEnv): Config => parseConfig(Env, env);
