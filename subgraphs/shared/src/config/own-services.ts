import { ConfigError, setVariablesOf } from './config.ts';

/** The address of a service. */
export interface Service {
  host: string;
  /** 1 to 65535. */
  port: number;
}

/** The default ports of URLs. */
const usualPorts: Readonly<Record<string, readonly number[]>> = {
  'postgres:': [5432],
  'postgresql:': [5432],
  'redis:': [6379],
  'rediss:': [6379],
  'smtp:': [587, 25],
  'smtps:': [465],
  'http:': [80],
  'https:': [443],
};

/** The variables with the address of a part of Foyer. */
const urls = [
  'DATABASE_URL',
  'REDIS_URL',
  'IDP_URL',
  'PAYMENT_GATEWAY_URL',
  'SMTP_URL',
  'S3_ENDPOINT',
  'S3_PUBLIC_ENDPOINT',
  'PUBLIC_URL',
  'CONTENT_ORIGIN',
  'UPLOAD_URL',
  'HOOK_URL',
  'IDENTITY_URL',
  'TICKETING_URL',
  'MEDIA_URL',
  'UPLOAD_SERVER_URL',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
] as const;

/** The variables with the ports on which Foyer itself listens, and their defaults. */
const ports = [
  ['PORT', 4000],
  ['UPLOAD_SERVER_PORT', 4080],
] as const;

/** Without these a process does not know all of Foyer's services. */
const telling = ['DATABASE_URL', 'IDP_URL', 'PAYMENT_GATEWAY_URL', 'SMTP_URL'] as const;

/**
 * The services of Foyer itself, by the environment of a process: those in the variables that hold a service's URL, and
 * those in `OWN_SERVICES` (`postgres:5432, redis:6379`) for services that no other variable of this process names.
 *
 * @param networks the networks in which addresses that users enter may be connected to
 * @throws {ConfigError} when networks are opened in production and the process does not know which services in them are
 *   Foyer's own
 */
export function ownServicesIn(env: NodeJS.ProcessEnv, networks: readonly string[]): Service[] {
  const set = setVariablesOf(env);
  const named = set['OWN_SERVICES'];
  const isBlind = named === undefined && telling.some((name) => set[name] === undefined);
  if (set['NODE_ENV'] === 'production' && networks.length > 0 && isBlind)
    throw new ConfigError(
      'OWN_SERVICES: must name where database, mail, store, provider and Redis are (host:port, separated by commas), since networks are opened',
    );
  return [
    ...urls.flatMap((name) => servicesAt(set[name] ?? '')),
    ...ports.map(([name, usual]) => ({ host: '0.0.0.0', port: Number(set[name] ?? usual) })),
    ...(named?.split(',') ?? []).map((each) => serviceNamed(each.trim())),
  ];
}

/** Returns the services at a URL; none for other text, which the schema of its variable reports. */
function servicesAt(text: string): Service[] {
  const url = URL.parse(text);
  if (!url?.hostname) return [];
  const host = decodeURIComponent(url.hostname).replaceAll(/^\[|\]$/g, '');
  const given = url.port ? [Number(url.port)] : (usualPorts[url.protocol] ?? []);
  return given.map((port) => ({ host, port }));
}

function serviceNamed(text: string): Service {
  const url = URL.parse(`tcp://${text}`);
  if (url?.hostname && url.port && url.host === text.toLowerCase())
    return { host: url.hostname.replaceAll(/^\[|\]$/g, ''), port: Number(url.port) };
  throw new ConfigError('OWN_SERVICES: must be services such as postgres:5432, separated by commas');
}
