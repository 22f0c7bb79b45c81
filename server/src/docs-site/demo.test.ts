import { generateKeyPairSync } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { policyOf } from './demo.ts';
import { readGatewayProcessConfig } from '../distributed/config.ts';

const publicUrl = 'https://foyer.example/';
const ruleOf = (name: string, policy: string) => policy.split('; ').find((rule) => rule.startsWith(`${name} `));

describe('the policy of the demonstration', () => {
  it.each([
    [
      'where browsers reach it',
      { paymentGatewayPublicUrl: 'https://pay.bank.example/form' },
      'https://pay.bank.example',
    ],
    ['where the server reaches it, unless configured otherwise', {}, 'http://bank.inside:8080'],
  ])('allows payment forms to the gateway: %s', (_where, told, bank) => {
    const policy = policyOf({ publicUrl, paymentGatewayUrl: 'http://bank.inside:8080/v1', ...told });
    expect(ruleOf('form-action', policy)).toBe(`form-action 'self' ${bank}`);
  });

  it('allows them to this server when the bank is embedded', () => {
    expect(ruleOf('form-action', policyOf({ publicUrl }))).toBe("form-action 'self' https://foyer.example");
  });

  it('allows calls to this server only, over WebSocket too', () => {
    const connect = ruleOf('connect-src', policyOf({ publicUrl }));
    expect(connect).toBe("connect-src 'self' https://foyer.example wss://foyer.example");
  });

  it('is the same at a gateway in a process of its own', () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    const config = readGatewayProcessConfig({
      DATABASE_URL: 'postgresql://localhost/foyer',
      VIEWER_SIGNING_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      PAYMENT_GATEWAY_URL: 'http://bank.inside:8080',
      PAYMENT_GATEWAY_PUBLIC_URL: 'https://pay.bank.example',
    });
    expect(ruleOf('form-action', policyOf(config))).toBe("form-action 'self' https://pay.bank.example");
  });
});
