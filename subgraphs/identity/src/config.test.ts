import { generateKeyPairSync } from 'node:crypto';

import type { SetCookie } from '@foyer/shared/http/request';
import { describe, expect, it } from 'vitest';

import { readAuthenticationConfig, readConfig } from './config.ts';
import { RESET_SECONDS } from './passwords/send-password-reset.ts';
import { clearTokens } from './sessions/deliver-tokens.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const env = {
  AUTH_JWT_PRIVATE_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  AUTH_JWT_REFRESH_SECRET: 'a secret for refresh tokens',
  EMAIL_SECRET_KEY: 'a secret for mail servers',
  SMTP_URL: 'smtp://127.0.0.1:1',
  IDP_URL: 'https://idp.example',
  IDP_PAT: 'a personal access token',
};
const publicPem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
const behindTls = { ...env, AUTH_BASE_URL: 'https://auth.foyer.example' };

describe('a process without a login', () => {
  it('takes the public key alone', () => {
    expect(readAuthenticationConfig({ AUTH_JWT_PUBLIC_KEY: publicPem }).keys).toEqual([publicPem]);
    expect(() => readAuthenticationConfig({ AUTH_JWT_PUBLIC_KEY: env.AUTH_JWT_PRIVATE_KEY })).toThrow(
      'AUTH_JWT_PUBLIC_KEY: must be a PUBLIC KEY',
    );
  });
});

describe('a key of access tokens', () => {
  const unfit = [
    generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    generateKeyPairSync('rsa', { modulusLength: 1024 }),
  ].map((pair) => ({
    privatePem: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicPem: pair.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  }));

  it('with which no token can be signed is refused at the start, and not at the first login', () => {
    for (const { privatePem } of unfit)
      expect(() => readConfig({ ...env, AUTH_JWT_PRIVATE_KEY: privatePem })).toThrow(
        'AUTH_JWT_PRIVATE_KEY: must be an RSA key of at least 2048 bits',
      );
  });

  it('by which none can be verified is refused, too', () => {
    for (const { publicPem: pem } of unfit)
      for (const name of ['AUTH_JWT_NEXT_KEY', 'AUTH_JWT_PREVIOUS_KEY'])
        expect(() => readConfig({ ...env, [name]: pem })).toThrow(`${name}: must be an RSA key of at least 2048 bits`);
  });
});

describe('a legacy auth service on another origin', () => {
  const besides = { ...env, PUBLIC_URL: 'https://foyer.example', AUTH_BASE_URL: 'https://auth.legacy.example/base' };

  it('is where keys are fetched, while links in mails lead to Foyer', () => {
    const { legacyAuthUrl, settings } = readConfig(besides);
    expect([legacyAuthUrl, settings.frontendUrl]).toEqual([besides.AUTH_BASE_URL, besides.PUBLIC_URL]);
  });

  it('is not configured when it is our own origin, or ours is not given', () => {
    for (const PUBLIC_URL of ['https://auth.legacy.example', undefined]) {
      const { legacyAuthUrl, settings } = readConfig({ ...besides, PUBLIC_URL });
      expect([legacyAuthUrl, settings.frontendUrl]).toEqual([undefined, besides.AUTH_BASE_URL]);
    }
  });

  it('needs https in production, in every process', () => {
    const plain = { ...besides, NODE_ENV: 'production', AUTH_BASE_URL: 'http://auth.legacy.example' };
    for (const read of [readConfig, readAuthenticationConfig]) {
      expect(() => read(plain)).toThrow('AUTH_BASE_URL: must begin with https://');
      expect(read({ ...plain, NODE_ENV: 'test' }).legacyAuthUrl).toBe(plain.AUTH_BASE_URL);
      expect(read({ ...plain, PUBLIC_URL: plain.AUTH_BASE_URL }).legacyAuthUrl).toBeUndefined();
      expect(read({ ...besides, NODE_ENV: 'production' }).legacyAuthUrl).toBe(besides.AUTH_BASE_URL);
    }
  });
});

describe('the table of lifetimes', () => {
  it('has the documented defaults: 900 seconds, 168 hours and 10 minutes', () => {
    const { accessSeconds, refreshSeconds, settings } = readConfig(env);
    expect([accessSeconds, refreshSeconds, settings.magicLinkSeconds]).toEqual([900, 168 * 3_600, 10 * 60]);
  });

  it('keeps the link to reset a password for 1 hour, whatever is configured', () => {
    expect(RESET_SECONDS).toBe(60 * 60);
  });

  it('takes AUTH_JWT_ACCESS_EXPIRY in whole seconds', () => {
    expect(readConfig({ ...env, AUTH_JWT_ACCESS_EXPIRY: '60' }).accessSeconds).toBe(60);
    for (const text of ['15m', '0', '-1', '1.5'])
      expect(() => readConfig({ ...env, AUTH_JWT_ACCESS_EXPIRY: text })).toThrow('AUTH_JWT_ACCESS_EXPIRY');
  });

  it('takes AUTH_JWT_REFRESH_EXPIRY and MAGIC_LINK_TOKEN_DURATION as durations', () => {
    const { refreshSeconds, settings } = readConfig({
      ...env,
      AUTH_JWT_REFRESH_EXPIRY: '24h',
      MAGIC_LINK_TOKEN_DURATION: '5m',
    });
    expect([refreshSeconds, settings.magicLinkSeconds]).toEqual([86_400, 300]);
    expect(() => readConfig({ ...env, AUTH_JWT_REFRESH_EXPIRY: 'soon' })).toThrow('AUTH_JWT_REFRESH_EXPIRY');
  });
});

describe('the table of cookies', () => {
  /** The names of both cookies with this configuration. */
  function cookiesOf(changes: object): SetCookie[] {
    const reply = { cookies: [] as SetCookie[] };
    clearTokens({ cookieRules: readConfig({ ...behindTls, ...changes }).cookies, reply });
    return reply.cookies;
  }

  it('names access_token for / and refresh_token for /api/v1, both HttpOnly and SameSite=Lax', () => {
    expect(cookiesOf({})).toMatchObject([
      { name: 'access_token', path: '/', httpOnly: true, sameSite: 'Lax' },
      { name: 'refresh_token', path: '/api/v1', httpOnly: true, sameSite: 'Lax' },
    ]);
  });

  it('takes Domain from AUTH_COOKIE_DOMAIN, and has none without', () => {
    expect(cookiesOf({ AUTH_COOKIE_DOMAIN: 'foyer.example' }).map(({ domain }) => domain)).toEqual([
      'foyer.example',
      'foyer.example',
    ]);
    for (const cookie of cookiesOf({})) expect(cookie).not.toHaveProperty('domain');
  });

  it('never covers the origin of foreign content', () => {
    const content = { CONTENT_ORIGIN: 'https://content.foyer.example' };
    for (const domain of ['foyer.example', '.foyer.example', 'FOYER.example', 'content.foyer.example'])
      expect(() => cookiesOf({ ...content, AUTH_COOKIE_DOMAIN: domain })).toThrow('CONTENT_ORIGIN');
    for (const domain of ['app.foyer.example', 'yer.example'])
      expect(cookiesOf({ ...content, AUTH_COOKIE_DOMAIN: domain })).toHaveLength(2);
    expect(cookiesOf(content)).toHaveLength(2);
  });

  it.each([
    ['on where nothing is said', {}, true],
    ['on where AUTH_COOKIE_SECURE is true', { AUTH_COOKIE_SECURE: 'true' }, true],
    ['off where AUTH_COOKIE_SECURE is false', { AUTH_COOKIE_SECURE: 'false' }, false],
    ['forced off on localhost', { AUTH_COOKIE_SECURE: 'true', AUTH_BASE_URL: 'http://localhost:4000' }, false],
    ['forced off on 127.0.0.1', { AUTH_COOKIE_SECURE: 'true', AUTH_BASE_URL: 'http://127.0.0.1:4000' }, false],
    [
      'off on localhost beside a legacy auth service',
      { AUTH_BASE_URL: 'https://auth.legacy.example', PUBLIC_URL: 'http://localhost:4000' },
      false,
    ],
    [
      'on beside a legacy auth service on localhost',
      { AUTH_BASE_URL: 'http://localhost:9000', PUBLIC_URL: 'https://foyer.example' },
      true,
    ],
    ['on for a host that only begins like localhost', { AUTH_BASE_URL: 'https://localhost.example' }, true],
  ])('Secure is %s', (_when, changes, expected) => {
    expect(cookiesOf(changes).map(({ secure }) => secure)).toEqual([expected, expected]);
  });
});
