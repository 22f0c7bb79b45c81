import { generateKeyPairSync, randomBytes } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { readConfig } from './config.ts';

const env = {
  PUBLIC_URL: 'https://foyer.example',
  PAYMENT_GATEWAY_URL: 'https://bank.example',
  PAYMENT_GATEWAY_SECRET: randomBytes(32).toString('base64url'),
  PAYMENT_AGENT_TOKEN: 'foyer',
  TICKET_SIGNING_KEY: generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  SMTP_URL: 'smtp://mail.example',
  LEGACY_JWT_SECRET: 'x'.repeat(32),
};
const production = { ...env, NODE_ENV: 'production' };

describe('the configuration of ticketing', () => {
  it('lets developers decrypt payloads, in production only when it is enabled', () => {
    expect(readConfig(env).decryptEnabled).toBe(true);
    expect(readConfig(production).decryptEnabled).toBe(false);
    expect(readConfig({ ...production, PAYMENT_DECRYPT_ENABLED: 'true' }).decryptEnabled).toBe(true);
  });

  it('has no default secret', () => {
    const { PAYMENT_GATEWAY_SECRET: _secret, ...without } = production;

    expect(() => readConfig(without)).toThrow('PAYMENT_GATEWAY_SECRET');
    expect(() => readConfig({ ...production, PAYMENT_GATEWAY_SECRET: 'change-me' })).toThrow('PAYMENT_GATEWAY_SECRET');
  });

  it('queries the gateway after 2, 5, 10, 15 and 30 minutes, or as configured', () => {
    expect(readConfig(env).requerySeconds).toEqual([120, 300, 600, 900, 1_800]);
    expect(readConfig({ ...env, PAYMENT_REQUERY_SECONDS: '5,60' }).requerySeconds).toEqual([5, 60]);
  });

  it('refuses more open orders than the database counts: none could be placed', () => {
    const most = (OPEN_ORDERS_PER_BUYER: string) => () =>
      readConfig({ ...env, OPEN_ORDERS_PER_BUYER }).openOrdersPerBuyer;
    expect(most('2147483647')()).toBe(2_147_483_647);
    expect(most('2147483648')).toThrow('OPEN_ORDERS_PER_BUYER');
  });

  it.each(['5,5', '60,5', '0,5', 'soon', '1.5', '5,9000000000000'])('refuses %j as a schedule', (schedule) => {
    expect(() => readConfig({ ...env, PAYMENT_REQUERY_SECONDS: schedule })).toThrow('PAYMENT_REQUERY_SECONDS');
  });

  it.each([
    'http://bank.example',
    'http://127.0.0.1:9',
    'https://127.0.0.1:9',
    'https://localhost',
    'https://[::1]:9',
    'https://bank.localhost',
  ])('refuses to pay in production at %s', (url) => {
    expect(() => readConfig({ ...production, PAYMENT_GATEWAY_URL: url })).toThrow('PAYMENT_GATEWAY_URL');
    expect(() => readConfig({ ...production, PAYMENT_GATEWAY_PUBLIC_URL: url })).toThrow('PAYMENT_GATEWAY_PUBLIC_URL');
    expect(readConfig({ ...env, PAYMENT_GATEWAY_URL: url }).gateway.url).toBe(url);
  });

  it('keeps printed receipts in a bucket where there is S3, else in a folder, else nowhere', () => {
    const s3 = { S3_ENDPOINT: 'https://s3.example', S3_ACCESS_KEY: 'key', S3_SECRET_KEY: 'secret' };
    const own = { RECEIPTS_ACCESS_KEY: 'own', RECEIPTS_SECRET_KEY: 'hidden', RECEIPTS_BUCKET: 'acme-receipts' };
    const bucket = {
      endpoint: new URL('https://s3.example'),
      region: 'us-east-1',
      bucket: 'foyer-receipts',
      accessKey: 'key',
      secretKey: 'secret',
      timeoutMs: 15_000,
    };

    expect(readConfig(env).receipts).toEqual({ folder: undefined });
    expect(readConfig({ ...env, RECEIPTS_DIR: '/data/receipts' }).receipts).toEqual({ folder: '/data/receipts' });
    expect(readConfig({ ...env, RECEIPTS_DIR: '/data/receipts', ...s3 }).receipts).toEqual({ s3: bucket });
    expect(readConfig({ ...env, S3_ENDPOINT: s3.S3_ENDPOINT, ...own }).receipts).toEqual({
      s3: { ...bucket, bucket: 'acme-receipts', accessKey: 'own', secretKey: 'hidden' },
    });
    expect(() => readConfig({ ...env, ...s3, S3_SECRET_KEY: '' })).toThrow('S3_SECRET_KEY: is needed');
    expect(() => readConfig({ ...env, ...s3, ...own, RECEIPTS_SECRET_KEY: '' })).toThrow('RECEIPTS_SECRET_KEY');
  });

  it('pays on this machine in production where that is listed', () => {
    const listed = { ...production, PAYMENT_GATEWAY_NETWORKS: '127.0.0.1' };
    expect(readConfig({ ...listed, PAYMENT_GATEWAY_URL: 'http://127.0.0.1:9' }).gateway.url).toBe('http://127.0.0.1:9');
    expect(() => readConfig({ ...listed, PAYMENT_GATEWAY_URL: 'http://127.0.0.2:9' })).toThrow('PAYMENT_GATEWAY_URL');
    expect(() => readConfig({ ...listed, PAYMENT_GATEWAY_URL: 'http://bank.example' })).toThrow('PAYMENT_GATEWAY_URL');
  });
});
