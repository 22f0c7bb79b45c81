import { startIdentityProvider } from '@foyer/identity/simulators/identity-provider';
import { issueLicense } from '@foyer/identity/license';
import { startStreamer } from '@foyer/media/simulators/streamer';
import { findTools } from '@foyer/media/tools';
import { startEmbeddedPostgres } from '@foyer/prisma/embedded';
import { startInbox } from '@foyer/ticketing/simulators/inbox';
import { startPaymentGateway } from '@foyer/ticketing/simulators/payment-gateway';

import type { Config } from '../config.ts';
import type { DataDir } from '../data-dir.ts';
import { publicHalf, type Secrets } from '../secrets.ts';

/** An outside part of this house, as the start page shows it. */
export interface Part {
  name: string;
  address: string;
  kind: 'embedded' | 'yours';
}

/** A part that people reach under the port of the house. */
export interface Door {
  prefix: string;
  upstream: string;
  /** The part knows itself under this prefix, and talks over WebSockets there. */
  keepsPrefix: boolean;
}

/** The outside of the house: what was given by configuration, and embedded servers for the rest. */
export interface World {
  /** The variables that say where the embedded parts are. */
  env: Record<string, string>;
  parts: Part[];
  doors: Door[];
  /** The ports of the embedded streamer node. */
  streamer?: { host: string; httpPort: number; apiPort: number };
  stop(): Promise<void>;
}

type Piece = Partial<Pick<World, 'streamer'>> & {
  env?: Record<string, string>;
  part: Part;
  door?: Door;
  stop?(): Promise<void>;
};

const LICENSE_DAYS = 365;
const PROVIDER_ADMIN = 'admin@foyer.test';

/** How each part is opened. */
const openers = { database, identityProvider, paymentGateway, mail, streamer };

/** The parts that stand outside the house. */
export type PartName = keyof typeof openers;

const everyPart = Object.keys(openers) as PartName[];

/**
 * Starts the outside parts that no variable names, all at once.
 *
 * @param wanted which of them; all, for a house that is to open its doors
 */
export async function openWorld(
  config: Config,
  dataDir: DataDir,
  secrets: Secrets | undefined,
  wanted: readonly PartName[] = everyPart,
): Promise<World> {
  const parts = wanted.filter((part) => part !== 'streamer' || !config.production);
  const settled = await Promise.allSettled(parts.map((part) => openers[part](config, dataDir, secrets)));
  const pieces = settled.flatMap((piece) => (piece.status === 'fulfilled' ? [piece.value] : []));
  const stop = async () => void (await Promise.allSettled(pieces.map(async (piece) => piece.stop?.())));

  const failed = settled.find((piece) => piece.status === 'rejected');
  if (failed) {
    await stop();
    throw failed.reason;
  }
  const node = pieces.find((piece) => piece.streamer)?.streamer;
  const redis = config.redisUrl && { name: 'Redis', address: hostOf(config.redisUrl), kind: 'yours' as const };
  return {
    env: Object.assign(await license(secrets), ...pieces.map(({ env }) => env)) as Record<string, string>,
    parts: [...pieces.map(({ part }) => part), ...(redis ? [redis] : [])],
    doors: pieces.flatMap(({ door }) => door ?? []),
    ...(node && { streamer: node }),
    stop,
  };
}

/** Only the host of an address: a URL may hold a password. */
const hostOf = (url: string) => new URL(url).host;

async function database({ databaseUrl }: Config, dataDir: DataDir): Promise<Piece> {
  if (databaseUrl) return { part: { name: 'PostgreSQL', address: hostOf(databaseUrl), kind: 'yours' } };
  const { url, stop } = await startEmbeddedPostgres(dataDir.folder('postgres'));
  return { env: { DATABASE_URL: url }, part: { name: 'PostgreSQL 18', address: hostOf(url), kind: 'embedded' }, stop };
}

async function identityProvider({ idpUrl, demoPassword }: Config, dataDir: DataDir): Promise<Piece> {
  if (idpUrl) return { part: { name: 'Identity provider', address: hostOf(idpUrl), kind: 'yours' } };
  const { url, tokenFile, stop } = await startIdentityProvider({
    folder: dataDir.folder('identity-provider'),
    platform: { name: 'Foyer', admin: { username: PROVIDER_ADMIN, password: demoPassword } },
  });
  return {
    env: { IDP_URL: url, IDP_PAT_FILE: tokenFile },
    part: { name: 'Identity provider (Zitadel v2)', address: hostOf(url), kind: 'embedded' },
    stop,
  };
}

async function paymentGateway(config: Config, dataDir: DataDir, secrets: Secrets | undefined): Promise<Piece> {
  const { paymentGatewayUrl, publicUrl } = config;
  if (paymentGatewayUrl)
    return { part: { name: 'Payment gateway', address: hostOf(paymentGatewayUrl), kind: 'yours' } };
  const publicAddress = `${publicUrl}/sim/bank`;
  const { url, stop } = await startPaymentGateway({
    folder: dataDir.folder('payment-gateway'),
    secret: secrets?.PAYMENT_GATEWAY_SECRET ?? '',
    publicUrl: publicAddress,
  });
  return {
    env: { PAYMENT_GATEWAY_URL: url, PAYMENT_GATEWAY_PUBLIC_URL: publicAddress },
    part: { name: 'Payment gateway (bank simulator)', address: hostOf(url), kind: 'embedded' },
    door: { prefix: '/sim/bank', upstream: url, keepsPrefix: false },
    stop,
  };
}

async function mail({ smtpUrl }: Config, dataDir: DataDir): Promise<Piece> {
  if (smtpUrl) return { part: { name: 'Mail', address: hostOf(smtpUrl), kind: 'yours' } };
  const inbox = await startInbox({ folder: dataDir.folder('inbox'), basePath: '/sim/inbox' });
  return {
    env: { SMTP_URL: inbox.smtpUrl, OWN_SERVICES: new URL(inbox.webUrl).host },
    part: { name: 'Mail (maildev)', address: hostOf(inbox.smtpUrl), kind: 'embedded' },
    door: { prefix: '/sim/inbox', upstream: new URL(inbox.webUrl).origin, keepsPrefix: true },
    stop: inbox.stop,
  };
}

async function streamer(_config: Config, dataDir: DataDir): Promise<Piece> {
  const node = await startStreamer({
    folder: dataDir.folder('streamer'),
    findFfmpeg: async () => (await findTools()).ffmpeg,
  });
  return {
    streamer: { host: '127.0.0.1', httpPort: node.httpPort, apiPort: node.apiPort },
    part: { name: 'Streamer node', address: `127.0.0.1:${node.apiPort}`, kind: 'embedded' },
    stop: node.stop,
  };
}

/** The embedded world issues the license for itself; production brings its own. */
async function license(secrets: Secrets | undefined): Promise<Record<string, string>> {
  if (!secrets) return {};
  const expiresAt = new Date(Date.now() + LICENSE_DAYS * 86_400_000);
  return {
    LICENSE_KEY: await issueLicense(secrets.LICENSE_PRIVATE_KEY, {
      companyCode: 'PLATFORM',
      hostingType: 'cloud',
      expiresAt,
    }),
    LICENSE_PUBLIC_KEY: publicHalf(secrets.LICENSE_PRIVATE_KEY),
  };
}
