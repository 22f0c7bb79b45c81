import { describe, expect, it } from 'vitest';

import { issueFor, newLicenseKeys } from './issue-license.ts';

const order = { companyCode: 'ACME', days: 30, hosting: 'on_prem' } as const;

describe('the key that signs a license', () => {
  it('is the private one: its public half verifies the license', async () => {
    const keys = newLicenseKeys();
    expect((await issueFor(keys.privateKey, order)).publicKey).toBe(keys.publicKey);
  });

  it.each([
    ['the public one', newLicenseKeys().publicKey],
    ['another file', '{ "name": "foyer" }'],
  ])('is not %s, which is said in plain words', async (_what, text) => {
    await expect(issueFor(text, order)).rejects.toThrow('the signing key must be a private key in PEM');
  });
});
