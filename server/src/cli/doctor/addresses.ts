import { isLoopbackHost } from '@foyer/shared/http/addresses/address';

import { assertPortIsFree } from '../../composition/port.ts';
import type { Config } from '../../config.ts';
import { failed, ok, TIMEOUT_MS, reasonOf, warning, type Finding } from './finding.ts';

interface Server<Name extends keyof Config> {
  config: Pick<Config, Name>;
  /** The id of the server's process, if a data folder of this machine says so. */
  process: number | undefined;
}

const get = (url: string) => fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });

/** The address of this machine at which a server that listens on `HOST` answers. */
const hostOf = ({ host }: Pick<Config, 'host'>) => ({ '0.0.0.0': '127.0.0.1', '::': '[::1]' })[host] ?? host;

/** Whether a process of Foyer has the port, as in its container, where no data folder says so. */
const isServer = (config: Pick<Config, 'host' | 'port'>) =>
  get(`http://${hostOf(config)}:${config.port}/health/live`).then(
    ({ status }) => status === 200,
    () => false,
  );

/** Checks that the port is free, or that the running server answers there. */
export async function checkPort({ config, process }: Server<'host' | 'port'>): Promise<Finding> {
  const part = `port ${config.port}`;
  if (!process) {
    return assertPortIsFree(config.port, config.host).then(
      () => ok(part, 'free'),
      async (error: unknown) =>
        (await isServer(config))
          ? ok(part, 'a server answers there')
          : failed(part, reasonOf(error), 'end that process, or set PORT to another'),
    );
  }
  const host = hostOf(config);
  try {
    const { status } = await get(`http://${host}:${config.port}/health/ready`);
    const cure = `GET /health/ready says which check fails; the log of process ${process} says why`;
    return status === 200 ? ok(part, 'the server is ready') : failed(part, `the server answers ${status}`, cure);
  } catch (error) {
    const found = `process ${process} holds the data, but does not answer: ${reasonOf(error)}`;
    return failed(part, found, 'set PORT and HOST as for the server, or see its log');
  }
}

/**
 * Checks the address that links, mails and redirects use.
 *
 * @param secureCookies whether AUTH_COOKIE_SECURE is on, as by default
 */
export async function checkPublicUrl(
  { config, process }: Server<'publicUrl' | 'production'>,
  secureCookies = true,
): Promise<Finding> {
  const part = 'PUBLIC_URL';
  const { protocol, hostname, pathname, search } = new URL(config.publicUrl);
  const shape = 'set PUBLIC_URL to what people type, such as https://foyer.example';
  if (!['http:', 'https:'].includes(protocol) || pathname !== '/' || search)
    return failed(part, `${config.publicUrl} is not a bare http(s) address`, shape);
  const local = isLoopbackHost(hostname);
  if (config.production && !local && protocol === 'http:')
    return secureCookies
      ? failed(part, `${config.publicUrl} can not be used in production: cookies are Secure there`, shape)
      : warning(part, `${config.publicUrl} lets everybody on the way read passwords and cookies`, shape);
  if (config.production && local)
    return warning(part, `${config.publicUrl} is for browsers on this machine only`, shape);
  if (!process) return ok(part, config.publicUrl);
  return get(`${config.publicUrl}/health/live`).then(
    ({ status }) =>
      status === 200
        ? ok(part, `${config.publicUrl} leads to the server`)
        : warning(part, `${config.publicUrl} answers ${status}`, 'let the proxy forward it to the server'),
    (error: unknown) => warning(part, `${config.publicUrl} can not be reached from here: ${reasonOf(error)}`, shape),
  );
}

/** Checks that browsers keep our cookies: they drop those for a domain that the server is not in. */
export function checkCookieDomain(publicUrl: string, domain: string | undefined): Finding[] {
  if (!domain) return [];
  const part = 'AUTH_COOKIE_DOMAIN';
  const { hostname } = new URL(publicUrl);
  const isWithin = `.${hostname}`.endsWith(`.${domain.replace(/^\./, '').toLowerCase()}`);
  return [
    isWithin
      ? ok(part, `${hostname} is within ${domain}`)
      : failed(
          part,
          `${hostname} is not within ${domain}: browsers drop the cookies, and nobody stays signed in`,
          'unset it, or set it to a domain that PUBLIC_URL is in',
        ),
  ];
}
