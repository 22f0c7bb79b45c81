import { SignJWT } from 'jose';

import { linkFor } from '../../support/servers/inbox.ts';
import { send } from '../../support/fixtures/people.ts';
import { newOrganization, type Organization } from './organization.ts';
import { NotRun } from './row.ts';
import type { Mode, Settings } from './settings.ts';

/** The headers of a caller. */
export type Headers = Record<string, string>;

export type Answer = Awaited<ReturnType<typeof send>>;

/** Somebody of the staff, signed in as a mobile client. */
export interface LoggedIn {
  id: string;
  accessToken: string;
  refreshToken: string;
  headers: Headers;
}

/** The server under test, reached over HTTP only, and what has been made there once for all rows. */
export interface Server {
  url: string;
  mode: Mode;
  send(method: string, path: string, sent?: { headers?: Headers; body?: unknown }): Promise<Answer>;
  /** Signs somebody in as a mobile client. Throws where that is refused. */
  login(username: string, companyCode: string, password?: string): Promise<LoggedIn>;
  /** The password of the demo accounts. */
  password(): string;
  /** The headers of a service that knows the secret of services. */
  internal(): Headers;
  /** The secret of the upload server. */
  hookSecret(): string;
  /** The platform's owner, a demo account. */
  owner(): Promise<LoggedIn>;
  /** The administrator of the demo organization. */
  acmeAdmin(): Promise<LoggedIn>;
  /** An organization for all rows that only add to it; rows that change what others read make their own. */
  organization(): Promise<Organization>;
  newOrganization(): Promise<Organization>;
  /** The demo customer, with a legacy token. */
  customer(): Promise<{ custId: string; email: string; headers: Headers }>;
  /** A legacy HS256 token, with a role of `ADMIN`, `SYSADMIN`, `MEMBER` or `CUSTOMER`. */
  legacy(role: string, claims?: Record<string, unknown>): Promise<Headers>;
  /** The newest link of this kind in the embedded inbox. */
  mailedLink(email: string, path: string): Promise<string>;
}

export function serverUnder(settings: Settings): Server {
  const { url, mode } = settings;
  const needed = (value: string | undefined, what: string) => {
    if (value === undefined) throw new NotRun(`needs ${what}`);
    return value;
  };
  const password = () => needed(settings.password, 'the password of the demo accounts (--password)');

  const server: Server = {
    url,
    mode,
    password,
    send: (method, path, sent) => send(settings, method, path, sent),
    async login(username, companyCode, secret = password()) {
      const { status, json, text } = await send(settings, 'POST', '/api/v1/login', {
        headers: { 'service-platform': 'mobile' },
        body: { username, password: secret, company_code: companyCode },
      });
      if (status !== 200) throw new Error(`${username} can't sign in: ${status} ${text}`);
      return {
        id: json.user.id,
        accessToken: json.access_token,
        refreshToken: json.refresh_token,
        headers: { authorization: `Bearer ${json.access_token}` },
      };
    },
    internal: () => ({
      'x-internal-token': needed(settings.internalSecret, 'the secret of services (--internal-psk)'),
    }),
    hookSecret: () => needed(settings.hookSecret, 'the secret of the upload server (--hook-secret)'),
    owner: once(() => server.login('admin@foyer.test', 'PLATFORM')),
    acmeAdmin: once(() => server.login('orgadmin@acme.test', 'ACME')),
    organization: once(() => newOrganization(server)),
    newOrganization: () => newOrganization(server),
    customer: once(async () => {
      const body = { email: 'customer@foyer.test', password: password() };
      const { json } = await send(settings, 'POST', '/auth/login', { body });
      return { ...json.customer, headers: { authorization: `Bearer ${json.token}` } };
    }),
    async legacy(role, claims) {
      const secret = needed(settings.legacySecret, 'the secret of legacy tokens (--legacy-secret)');
      const token = await new SignJWT({ sub: 'somebody', role, ...claims })
        .setProtectedHeader({ alg: 'HS256' })
        .setExpirationTime('1h')
        .sign(new TextEncoder().encode(secret));
      return { authorization: `Bearer ${token}` };
    },
    async mailedLink(email, path) {
      const { status } = await send(settings, 'GET', '/sim/inbox/email');
      if (status !== 200) throw new NotRun('needs the embedded inbox');
      return linkFor(settings, email, path);
    },
  };
  return server;
}

function once<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | undefined;
  return () => (made ??= make());
}
