import { generateKeyPairSync } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { readSubgraphProcessConfig } from './config.ts';

const keys = (type: 'ed25519' | 'ed448') => {
  const { privateKey, publicKey } = generateKeyPairSync(type as 'ed25519');
  return {
    own: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    shown: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  };
};
const of = (VIEWER_PUBLIC_KEY: string, env: NodeJS.ProcessEnv = {}) =>
  readSubgraphProcessConfig({ DATABASE_URL: 'postgresql://localhost/foyer', VIEWER_PUBLIC_KEY, ...env });

describe('a subgraph by itself', () => {
  it('accepts the public key of the gateway, and refuses the private one', () => {
    const { own, shown } = keys('ed25519');
    expect(of(shown).viewerKeys).toEqual([shown]);
    expect(of(shown.replaceAll('\n', String.raw`\n`)).viewerKeys).toEqual([shown]);
    for (const wrong of [own, keys('ed448').shown, 'no key'])
      expect(() => of(wrong)).toThrow('VIEWER_PUBLIC_KEY: must be an Ed25519 public key');
  });

  it.each([
    [{}, 32_000],
    [{ SUBGRAPH_TIMEOUT_MS: '60000' }, 62_000],
    [{ SUBGRAPH_TIMEOUT_MS: '60000', DRAIN_MS: '5000' }, 5_000],
  ])('gives requests longer to end than gateways wait for them, by default: %j', (env, drainMs) => {
    expect(of(keys('ed25519').shown, env).drainMs).toBe(drainMs);
  });
});
