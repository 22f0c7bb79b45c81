import { startIdentityProvider } from '@foyer/identity/simulators/identity-provider';
import { issueLicense } from '@foyer/identity/license';
import { startStreamer } from '@foyer/media/simulators/streamer';
import { findTools } from '@foyer/media/tools';
import { startEmbeddedPostgres } from '@foyer/prisma/embedded';
import { ConfigError } from '@foyer/shared/config/config';
import type { Log } from '@foyer/shared/telemetry/log';
import { startInbox } from '@foyer/ticketing/simulators/inbox';
import { startPaymentGateway } from '@foyer/ticketing/simulators/payment-gateway';

import type { Config } from '../config.ts';
import type { DataDir } from '../data-dir/data-dir.ts';
import { publicHalf, type Secrets } from '../data-dir/secrets.ts';

/** A service that the server uses, as the start page shows it. */
export interface ExternalService {
  name: string;
  address: string;
  kind: 'embedded' | 'yours';
}

/** An embedded service with pages, which browsers reach through the port of the server. */
export interface ProxyRoute {
  prefix: string;
  upstream: string;
  /** The service itself serves this prefix, and uses WebSockets there. */
  keepsPrefix: boolean;
}

/** The external services: those that are configured, and embedded ones for the rest. */
export interface EmbeddedServices {
  /** The variables that point to the embedded services. */
  env: Record<string, string>;
  services: ExternalService[];
  proxies: ProxyRoute[];
  /** The ports of the embedded streamer node. */
  streamer?: { host: string; httpPort: number; apiPort: number };
  stop(): Promise<void>;
}

type Started = Partial<Pick<EmbeddedServices, 'streamer'>> & {
  env?: Record<string, string>;
  service: ExternalService;
  proxy?: ProxyRoute;
  stop?(): Promise<void>;
};

const LICENSE_DAYS = 365;
const PROVIDER_ADMIN = 'admin@foyer.test';

/** How each service is started. */
const starters = { database, identityProvider, paymentGateway, mail, streamer };

export type ServiceName = keyof typeof starters;

const everyService = Object.keys(starters) as ServiceName[];

interface Options {
  config: Config;
  dataDir: DataDir;
  secrets: Secrets | undefined;
  log: Log;
  /** Which of them; a server needs all. */
  wanted?: readonly ServiceName[];
}

/**
 * Starts the external services that no variable names, all at once.
 *
 * @throws {ConfigError} when the embedded PostgreSQL does not start
 */
export async function startEmbeddedServices(options: Options): Promise<EmbeddedServices> {
  const { config, secrets, wanted = everyService } = options;
  const names = wanted.filter((name) => name !== 'streamer' || !config.production);
  const settled = await Promise.allSettled(names.map((name) => starters[name](options)));
  const started = settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const stop = async () => void (await Promise.allSettled(started.map(async (service) => service.stop?.())));

  const failed = settled.find((result) => result.status === 'rejected');
  if (failed) {
    await stop();
    throw failed.reason;
  }
  const node = started.find((service) => service.streamer)?.streamer;
  const redis = config.redisUrl && { name: 'Redis', address: hostOf(config.redisUrl), kind: 'yours' as const };
  return {
    env: Object.assign(await license(secrets), ...started.map(({ env }) => env)) as Record<string, string>,
    services: [...started.map(({ service }) => service), ...(redis ? [redis] : [])],
    proxies: started.flatMap(({ proxy }) => proxy ?? []),
    ...(node && { streamer: node }),
    stop,
  };
}

/** Returns only the host of a URL, which may contain a password. */
const hostOf = (url: string) => new URL(url).host;

async function database({ config: { databaseUrl }, dataDir, log }: Options): Promise<Started> {
  if (databaseUrl) return { service: { name: 'PostgreSQL', address: hostOf(databaseUrl), kind: 'yours' } };
  const folder = dataDir.folder('postgres');
  const starting = startEmbeddedPostgres(folder, { report: (sentence) => log.error(sentence) });
  const { url, stop } = await starting.catch((error: Error) => {
    const why = error.message.replaceAll(/\s+/g, ' ');
    throw new ConfigError(`DATA_DIR: PostgreSQL in ${folder} does not start: ${why}`);
  });
  return {
    env: { DATABASE_URL: url },
    service: { name: 'PostgreSQL 18', address: hostOf(url), kind: 'embedded' },
    stop,
  };
}

async function identityProvider({ config: { idpUrl, demoPassword }, dataDir }: Options): Promise<Started> {
  if (idpUrl) return { service: { name: 'Identity provider', address: hostOf(idpUrl), kind: 'yours' } };
  const { url, tokenFile, stop } = await startIdentityProvider({
    folder: dataDir.folder('identity-provider'),
    platform: { name: 'Foyer', admin: { username: PROVIDER_ADMIN, password: demoPassword } },
  });
  return {
    env: { IDP_URL: url, IDP_PAT_FILE: tokenFile },
    service: { name: 'Identity provider (Zitadel v2)', address: hostOf(url), kind: 'embedded' },
    stop,
  };
}

async function paymentGateway({ config, dataDir, secrets }: Options): Promise<Started> {
  const { paymentGatewayUrl, publicUrl } = config;
  if (paymentGatewayUrl)
    return { service: { name: 'Payment gateway', address: hostOf(paymentGatewayUrl), kind: 'yours' } };
  const publicAddress = `${publicUrl}/sim/bank`;
  const { url, stop } = await startPaymentGateway({
    folder: dataDir.folder('payment-gateway'),
    secret: secrets?.PAYMENT_GATEWAY_SECRET ?? '',
    publicUrl: publicAddress,
  });
  return {
    env: { PAYMENT_GATEWAY_URL: url, PAYMENT_GATEWAY_PUBLIC_URL: publicAddress },
    service: { name: 'Payment gateway (bank simulator)', address: hostOf(url), kind: 'embedded' },
    proxy: { prefix: '/sim/bank', upstream: url, keepsPrefix: false },
    stop,
  };
}

async function mail({ config: { smtpUrl }, dataDir }: Options): Promise<Started> {
  if (smtpUrl) return { service: { name: 'Mail', address: hostOf(smtpUrl), kind: 'yours' } };
  const inbox = await startInbox({ folder: dataDir.folder('inbox'), basePath: '/sim/inbox' });
  return {
    env: { SMTP_URL: inbox.smtpUrl, OWN_SERVICES: new URL(inbox.webUrl).host },
    service: { name: 'Mail (maildev)', address: hostOf(inbox.smtpUrl), kind: 'embedded' },
    proxy: { prefix: '/sim/inbox', upstream: new URL(inbox.webUrl).origin, keepsPrefix: true },
    stop: inbox.stop,
  };
}

async function streamer({ dataDir }: Options): Promise<Started> {
  const node = await startStreamer({
    folder: dataDir.folder('streamer'),
    findFfmpeg: async () => (await findTools()).ffmpeg,
  });
  return {
    streamer: { host: '127.0.0.1', httpPort: node.httpPort, apiPort: node.apiPort },
    service: { name: 'Streamer node', address: `127.0.0.1:${node.apiPort}`, kind: 'embedded' },
    stop: node.stop,
  };
}

/** Issues a license for this installation; production is given one. */
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
