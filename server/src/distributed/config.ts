import { createPrivateKey, createPublicKey } from 'node:crypto';

import { lines, parseConfig, webAddress } from '@foyer/shared/config/config';
import type { SubgraphName } from '@foyer/shared/graphql/subgraph';
import { z } from 'zod';

import { databaseUrl, serverConfigOf, ServerEnv } from '../config.ts';

const isKey = (read: (pem: string) => { asymmetricKeyType?: string | undefined }) => (pem: string) => {
  try {
    return read(pem).asymmetricKeyType === 'ed25519';
  } catch {
    return false;
  }
};
const privateKey = lines.refine(isKey(createPrivateKey), 'must be an Ed25519 private key, as PEM');
/** Checks the PEM header too: Node would accept a private key here, and nobody would notice the leak. */
const publicKey = lines.refine(
  (pem) => pem.includes('-----BEGIN PUBLIC KEY-----') && isKey(createPublicKey)(pem),
  'must be an Ed25519 public key, as PEM',
);

const origin = (name: string) => webAddress.default(`http://${name}:4000`).transform((url) => url.replace(/\/$/, ''));

/**
 * The default of `SUBGRAPH_TIMEOUT_MS` for Foyer's own subgraphs: longer than the timeout of the identity provider, so that
 * its failure is reported as such.
 */
export const SUBGRAPH_TIMEOUT_MS = 30_000;

const ProcessEnv = ServerEnv.extend({
  SUBGRAPH_TIMEOUT_MS: ServerEnv.shape.SUBGRAPH_TIMEOUT_MS.unwrap().default(SUBGRAPH_TIMEOUT_MS),
  PORT: z.coerce.number('must be a port number').int().min(0).max(65_535, 'must be a port number').default(4000),
});
const WithDatabase = ProcessEnv.extend({ DATABASE_URL: databaseUrl });
const processOf = (env: z.output<typeof WithDatabase>) => ({ ...serverConfigOf(env), databaseUrl: env.DATABASE_URL });

export const Subgraph = WithDatabase.extend({
  VIEWER_PUBLIC_KEY: publicKey,
  VIEWER_PUBLIC_KEY_PREVIOUS: publicKey.optional(),
}).transform((env) => ({
  ...processOf(env),
  /** The keys that verify the gateways' signature of a viewer. */
  viewerKeys: [env.VIEWER_PUBLIC_KEY, env.VIEWER_PUBLIC_KEY_PREVIOUS].filter((key) => key !== undefined),
}));

/** Set by `pnpm start:distributed` for its children: the services that it embeds. Unset elsewhere. */
const Embedded = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue({ code: 'custom', message: 'must be JSON' });
      return z.NEVER;
    }
  })
  .pipe(
    z.object({
      services: z.array(z.object({ name: z.string(), address: z.string(), kind: z.enum(['embedded', 'yours']) })),
      proxies: z.array(z.object({ prefix: z.string(), upstream: z.string(), keepsPrefix: z.boolean() })),
      streamer: z.object({ host: z.string(), httpPort: z.int(), apiPort: z.int() }).optional(),
    }),
  );

const Worker = WithDatabase.extend({ EMBEDDED_SERVICES: Embedded.optional() }).transform((env) => ({
  ...processOf(env),
  embedded: env.EMBEDDED_SERVICES,
}));

export const Gateway = ProcessEnv.extend({
  VIEWER_SIGNING_KEY: privateKey,
  IDENTITY_URL: origin('identity'),
  TICKETING_URL: origin('ticketing'),
  MEDIA_URL: origin('media'),
  UPLOAD_SERVER_URL: webAddress.optional(),
  PAYMENT_GATEWAY_URL: webAddress.optional(),
  PAYMENT_GATEWAY_PUBLIC_URL: webAddress.optional(),
  EMBEDDED_SERVICES: Embedded.optional(),
}).transform((env) => ({
  ...serverConfigOf(env),
  viewerSigningKey: env.VIEWER_SIGNING_KEY,
  /** The URL of each subgraph, without a slash at the end. */
  subgraphs: {
    identity: env.IDENTITY_URL,
    ticketing: env.TICKETING_URL,
    media: env.MEDIA_URL,
  } satisfies Record<SubgraphName, string>,
  /** The URL of the upload server; media itself unless one is configured. */
  uploadServer: env.UPLOAD_SERVER_URL ?? env.MEDIA_URL,
  paymentGatewayUrl: env.PAYMENT_GATEWAY_URL,
  /** The URL that browsers use, if it differs. */
  paymentGatewayPublicUrl: env.PAYMENT_GATEWAY_PUBLIC_URL,
  embedded: env.EMBEDDED_SERVICES ?? { services: [], proxies: [] },
}));

export type GatewayProcessConfig = z.output<typeof Gateway>;

/** @throws {ConfigError} naming the variable that can't be used */
export const readGatewayProcessConfig = (env: NodeJS.ProcessEnv): GatewayProcessConfig => parseConfig(Gateway, env);

/** @throws {ConfigError} naming the variable that can't be used */
export const readSubgraphProcessConfig = (env: NodeJS.ProcessEnv): z.output<typeof Subgraph> =>
  parseConfig(Subgraph, env);

/** @throws {ConfigError} naming the variable that can't be used */
export const readWorkerConfig = (env: NodeJS.ProcessEnv): z.output<typeof Worker> => parseConfig(Worker, env);
