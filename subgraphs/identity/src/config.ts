import { createPublicKey } from 'node:crypto';

import { ACCESS_TOKEN_ISSUER } from '@foyer/shared/auth/access-token';
import { isLoopbackHost } from '@foyer/shared/http/addresses/address';
import { developmentNetworks, networkList } from '@foyer/shared/http/addresses/address-policy';
import {
  always,
  demoPassword,
  domainName,
  domainNames,
  flag,
  lifetime,
  lines,
  mailbox,
  milliseconds,
  origin,
  parseConfig,
  seconds,
  webAddress,
} from '@foyer/shared/config/config';
import { demo } from '@foyer/shared/demo';
import { ownServicesIn } from '@foyer/shared/config/own-services';
import { uuidText } from '@foyer/shared/ids';
import { z } from 'zod';

import { domainOf, readAddress } from './email-profiles/address.ts';

/** RS256 takes no smaller keys (RFC 7518, section 3.3). */
const LEAST_BITS = 2_048;

const isRsaKey = (text: string) => {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPublicKey(text);
    return asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= LEAST_BITS;
  } catch {
    return false;
  }
};

const pem = (kind: string) =>
  lines.refine((text) => text.includes(`-----BEGIN ${kind}-----`), `must be a ${kind}, as PEM`);

const secret = z.string('must be set').min(16, 'must have at least 16 characters');

const failing = z.enum(['open', 'closed'], 'must be open or closed');

/** An RSA key, private or public. */
const key = lines.refine((text) => isRsaKey(text), `must be an RSA key of at least ${LEAST_BITS} bits, as PEM`);

/** The variables of a process that authenticates requests. */
const AuthenticationEnv = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
  AUTH_JWT_ACCESS_EXPIRY: lifetime('s').int().default(900),
  AUTH_JWT_ISSUER: z.string().min(1).default(ACCESS_TOKEN_ISSUER),
  AUTH_BASE_URL: webAddress.optional(),
  PUBLIC_URL: webAddress.optional(),
  AUTH_JWT_NEXT_KEY: key.optional(),
  AUTH_JWT_PREVIOUS_KEY: key.optional(),
  LEGACY_JWT_SECRET: secret.optional(),
  ENFORCE_PASSWORD_CHANGE: flag.default(false),
  REVOCATION_FAIL: failing.optional(),
  REVOCATION_FAIL_READS: failing.optional(),
  REVOCATION_FAIL_WRITES: failing.optional(),
});

interface Addresses {
  AUTH_BASE_URL?: string | undefined;
  PUBLIC_URL?: string | undefined;
}

/** The address of the legacy auth service (docs/decisions/0056), if there is one. */
const elsewhere = ({ AUTH_BASE_URL, PUBLIC_URL }: Addresses) =>
  AUTH_BASE_URL && PUBLIC_URL && new URL(AUTH_BASE_URL).origin !== new URL(PUBLIC_URL).origin
    ? AUTH_BASE_URL
    : undefined;

/** The address at which people reach our own auth service. */
const baseUrlOf = (env: Addresses) =>
  (elsewhere(env) ? env.PUBLIC_URL : (env.AUTH_BASE_URL ?? env.PUBLIC_URL)) ?? 'http://localhost:4000';

/** Whoever can change its answers in transit can log in as anybody. */
const isReadSafely = (env: Addresses & { NODE_ENV: string }) =>
  env.NODE_ENV !== 'production' || (elsewhere(env)?.startsWith('https:') ?? true);
const notReadSafely = {
  path: ['AUTH_BASE_URL'],
  message: 'must begin with https:// in production where it is not the origin of PUBLIC_URL: its keys are believed',
};

const authenticationOf = (env: z.output<typeof AuthenticationEnv>, currentKey: string) => ({
  accessSeconds: env.AUTH_JWT_ACCESS_EXPIRY,
  /** The keys that verify access tokens: the current one, and others during a key rotation. */
  keys: [currentKey, env.AUTH_JWT_NEXT_KEY, env.AUTH_JWT_PREVIOUS_KEY].filter((pem) => pem !== undefined),
  /** The `iss` claim of access tokens. */
  issuer: env.AUTH_JWT_ISSUER,
  /** The legacy auth service whose tokens we accept: `AUTH_BASE_URL` when it is not our own address. */
  legacyAuthUrl: elsewhere(env),
  legacySecret: env.LEGACY_JWT_SECRET,
  enforcePasswordChange: env.ENFORCE_PASSWORD_CHANGE,
  /** How to treat requests while revocations can't be read. */
  revocationFail: {
    reads: env.REVOCATION_FAIL_READS ?? env.REVOCATION_FAIL ?? ('open' as const),
    writes: env.REVOCATION_FAIL_WRITES ?? env.REVOCATION_FAIL ?? ('closed' as const),
  },
});

/** The variables of a process that talks to the identity provider. */
const ProviderEnv = z.object({
  IDP_URL: webAddress,
  IDP_INSTANCE_HOST: z.string().optional(),
  IDP_PAT: z.string().optional(),
  IDP_PAT_FILE: z.string().optional(),
  IDP_WIRE: z.enum(['auto', 'connect', 'rest']).default('auto'),
  IDP_TIMEOUT_MS: milliseconds().default(20_000),
});

const hasProviderToken = (env: z.output<typeof ProviderEnv>) => (env.IDP_PAT ?? env.IDP_PAT_FILE) !== undefined;
const tokenMissing = {
  path: ['IDP_PAT'],
  message: 'must be set, or IDP_PAT_FILE: the personal access token for the identity provider',
  ...always,
};

const providerOf = (env: z.output<typeof ProviderEnv>) => ({
  url: env.IDP_URL,
  instanceHost: env.IDP_INSTANCE_HOST,
  token: env.IDP_PAT,
  tokenFile: env.IDP_PAT_FILE,
  wire: env.IDP_WIRE,
  timeoutMs: env.IDP_TIMEOUT_MS,
});

/** The variables of a process that offers a login. */
const LoginEnv = z.object({
  LOGIN_FLOOR_MS: milliseconds(0).default(1_000),
  RATE_LIMITS: z.enum(['on', 'off'], 'must be on or off').default('on'),
});

/** The variables of a process that sets cookies. */
const CookieEnv = z.object({
  AUTH_BASE_URL: webAddress.optional(),
  PUBLIC_URL: webAddress.optional(),
  AUTH_COOKIE_DOMAIN: domainName.optional(),
  CONTENT_ORIGIN: origin.optional(),
  AUTH_COOKIE_SECURE: flag.default(true),
});

const loginOf = (env: z.output<typeof LoginEnv>) => ({
  /** The shortest time after which a refused login is answered, so that timing does not reveal who exists. */
  loginFloorMs: env.LOGIN_FLOOR_MS,
  /** Only load tests switch it off. */
  rateLimits: env.RATE_LIMITS === 'on',
});

export const Env = z
  .object({
    ...AuthenticationEnv.shape,
    ...ProviderEnv.shape,
    ...LoginEnv.shape,
    ...CookieEnv.shape,
    AUTH_JWT_REFRESH_EXPIRY: seconds.default(604_800),
    AUTH_JWT_REFRESH_SECRET: secret,
    AUTH_JWT_PRIVATE_KEY: pem('PRIVATE KEY').pipe(key),
    AUTH_FRONTEND_URL: z.url().optional(),
    MAGIC_LINK_TOKEN_DURATION: seconds.default(600),
    EMAIL_SECRET_KEY: secret,
    SMTP_URL: z.url({ protocol: /^smtps?$/, message: 'must be a smtp:// URL' }),
    MAIL_FROM: mailbox.default('Foyer <no-reply@foyer.test>'),
    MAIL_FROM_DOMAINS: domainNames,
    MAIL_NETWORKS: networkList.optional(),
    REFRESH_GRACE_SECONDS: z.coerce.number().int().min(0).max(10, 'must be from 0 to 10').default(0),
    SESSION_STREAM_HEARTBEAT_MS: milliseconds(100).default(25_000),
    IDP_PLATFORM_ORG_NAME: z.string().default('Foyer'),
    IDP_ADMIN_LOGIN_NAME: z.string().default('admin@foyer.test'),
    LICENSE_KEY: z.string().optional(),
    LICENSE_PUBLIC_KEY: pem('PUBLIC KEY').optional(),
    LICENSE_PRIVATE_KEY: pem('PRIVATE KEY').optional(),
    DEFAULT_ORGANIZATION_NAME: z.string().default('Foyer'),
    DEFAULT_ORGANIZATION_COMPANY_CODE: z.string().default(demo.platform.companyCode),
    TICKETING_WORKSPACE_ID: uuidText('must be a uuid').optional(),
    SEED_DEMO: flag.optional(),
    DEMO_PASSWORD: demoPassword,
  })
  .refine(hasProviderToken, tokenMissing)
  .refine(isReadSafely, notReadSafely)
  .refine((env) => env.LEGACY_JWT_SECRET !== env.AUTH_JWT_REFRESH_SECRET, {
    path: ['LEGACY_JWT_SECRET'],
    message: 'must differ from AUTH_JWT_REFRESH_SECRET',
  })
  .refine((env) => !cookiesReach(env), {
    path: ['CONTENT_ORIGIN'],
    message: 'must lie outside of AUTH_COOKIE_DOMAIN, or it would be sent the cookies of sessions',
  })
  .refine((env) => env.NODE_ENV !== 'production' || !env.SEED_DEMO, {
    path: ['SEED_DEMO'],
    message: 'demo accounts may not be seeded in production',
  })
  .transform((env) => ({
    ...authenticationOf(env, env.AUTH_JWT_PRIVATE_KEY),
    refreshSeconds: env.AUTH_JWT_REFRESH_EXPIRY,
    refreshSecret: env.AUTH_JWT_REFRESH_SECRET,
    privateKey: env.AUTH_JWT_PRIVATE_KEY,
    cookies: cookieRules(env),
    /**
     * Shared by staff and customers, who log in at different processes, so that they share the cookie of their device.
     */
    deviceSecret: env.LEGACY_JWT_SECRET ?? env.AUTH_JWT_REFRESH_SECRET,
    settings: {
      magicLinkSeconds: env.MAGIC_LINK_TOKEN_DURATION,
      /** The base of links in e-mails, without a trailing slash. It never comes from a Host header. */
      frontendUrl: (env.AUTH_FRONTEND_URL ?? baseUrlOf(env)).replace(/\/$/, ''),
      mailFrom: env.MAIL_FROM,
      mailFromDomains: [domainOf(readAddress(env.MAIL_FROM).address), ...env.MAIL_FROM_DOMAINS],
    },
    emailSecretKey: env.EMAIL_SECRET_KEY,
    mailer: { url: env.SMTP_URL, from: env.MAIL_FROM },
    /** Networks where organizations' mail servers may be, besides the public internet. */
    mailNetworks: env.MAIL_NETWORKS ?? (env.NODE_ENV === 'production' ? [] : developmentNetworks),
    ...loginOf(env),
    refreshGraceSeconds: env.REFRESH_GRACE_SECONDS,
    streamHeartbeatMs: env.SESSION_STREAM_HEARTBEAT_MS,
    identityProvider: providerOf(env),
    platform: {
      name: env.DEFAULT_ORGANIZATION_NAME,
      companyCode: env.DEFAULT_ORGANIZATION_COMPANY_CODE,
      idpOrgName: env.IDP_PLATFORM_ORG_NAME,
      adminLoginName: env.IDP_ADMIN_LOGIN_NAME,
    },
    license: {
      key: env.LICENSE_KEY,
      publicKey: env.LICENSE_PUBLIC_KEY,
      companyCode: env.DEFAULT_ORGANIZATION_COMPANY_CODE,
    },
    /** Signs licenses for on-premises organizations; only the installation that sells licenses has it. */
    licenseSigningKey: env.LICENSE_PRIVATE_KEY,
    ticketingWorkspaceId: env.TICKETING_WORKSPACE_ID,
    /** Unset where no account may have a known password. */
    demoPassword: (env.SEED_DEMO ?? env.NODE_ENV !== 'production') ? env.DEMO_PASSWORD : undefined,
  }));

/** Whether a browser would send our cookies to the origin of uploaded content (RFC 6265, section 5.1.3). */
function cookiesReach({ AUTH_COOKIE_DOMAIN, CONTENT_ORIGIN }: z.output<typeof CookieEnv>): boolean {
  if (!AUTH_COOKIE_DOMAIN || !CONTENT_ORIGIN) return false;
  const domain = AUTH_COOKIE_DOMAIN.replace(/^\./, '').toLowerCase();
  return `.${new URL(CONTENT_ORIGIN).hostname}`.endsWith(`.${domain}`);
}

function cookieRules(env: z.output<typeof CookieEnv>) {
  const isLocal = isLoopbackHost(new URL(baseUrlOf(env)).hostname);
  return { domain: env.AUTH_COOKIE_DOMAIN, secure: env.AUTH_COOKIE_SECURE && !isLocal };
}

/** @throws {ConfigError} naming the variable that can't be used */
export function readConfig(env: NodeJS.ProcessEnv) {
  const config = parseConfig(Env, env);
  const { mailNetworks: networks } = config;
  return { ...config, mailAddresses: { networks, services: ownServicesIn(env, networks) } };
}

export type Config = ReturnType<typeof readConfig>;

export const AuthenticationAlone = AuthenticationEnv.extend({
  /** A private key would work too, and could lie around unnoticed: so it is refused. */
  AUTH_JWT_PUBLIC_KEY: pem('PUBLIC KEY').pipe(key).optional(),
  AUTH_JWT_PRIVATE_KEY: key.optional(),
})
  .refine((env) => env.AUTH_JWT_PUBLIC_KEY ?? env.AUTH_JWT_PRIVATE_KEY, {
    path: ['AUTH_JWT_PUBLIC_KEY'],
    message: 'must be set: the public half of the key that signs access tokens',
    ...always,
  })
  .refine(isReadSafely, notReadSafely)
  .transform((env) => authenticationOf(env, env.AUTH_JWT_PUBLIC_KEY ?? env.AUTH_JWT_PRIVATE_KEY ?? ''));

export type AuthenticationConfig = z.output<typeof AuthenticationAlone>;

/**
 * Reads the configuration of a process that authenticates requests but offers no login. @throws {ConfigError} naming
 * the invalid variable
 */
export const readAuthenticationConfig = (env: NodeJS.ProcessEnv): AuthenticationConfig =>
  parseConfig(AuthenticationAlone, env);

const CustomerDirectoryEnv = z
  .object({ ...ProviderEnv.shape, ...LoginEnv.shape, ...CookieEnv.shape, LEGACY_JWT_SECRET: secret })
  .refine(hasProviderToken, tokenMissing)
  .transform((env) => ({
    ...loginOf(env),
    cookies: cookieRules(env),
    deviceSecret: env.LEGACY_JWT_SECRET,
    identityProvider: providerOf(env),
  }));

export type CustomerDirectoryConfig = z.output<typeof CustomerDirectoryEnv>;

/** Reads the configuration of a process where customers log in. @throws {ConfigError} naming the invalid variable */
export const readCustomerDirectoryConfig = (env: NodeJS.ProcessEnv): CustomerDirectoryConfig =>
  parseConfig(CustomerDirectoryEnv, env);
