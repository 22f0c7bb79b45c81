import { generateKeyPairSync } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startRecordingProxy } from '../testing/recording-proxy.ts';
import { startTestIdentity, type TestIdentity } from '../testing/test-identity.ts';
import { issueLicense } from '../license/license.ts';

let identity: TestIdentity;

beforeAll(async () => {
  identity = await startTestIdentity();
}, 120_000);

afterAll(() => identity.stop());

const blocked = { code: 'UPSTREAM_UNAVAILABLE', reason: 'LICENSE_EXPIRED' };

/** Issues a license for a company, with the key that verifies it. */
async function newLicense(companyCode: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const expiresAt = new Date(Date.now() + 86_400_000);
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return {
    key: await issueLicense(pem, { companyCode, hostingType: 'cloud', expiresAt }),
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  };
}

/** The same license with a changed payload under the old signature. */
function renamed(key: string, companyCode: string): string {
  const [head, payload = '', signature] = key.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
  const changed = Buffer.from(JSON.stringify({ ...claims, company_code: companyCode })).toString('base64url');
  return [head, changed, signature].join('.');
}

/** The answer to a login with this license: `OPEN`, or the reason of the refusal. */
async function answerUnder(key: string, publicKey: string) {
  const configured = await identity.open({ LICENSE_KEY: key, LICENSE_PUBLIC_KEY: publicKey });
  await configured.startUp();
  const { data, error } = await identity.login('member@acme.test', 'ACME', {}, { instance: configured });
  await configured.stop();
  return data ? 'OPEN' : error?.['reason'];
}

describe('start-up step 4: the license guard', () => {
  it('starts blocked: nobody logs in before the start-up, and afterwards everybody who could before', async () => {
    const starting = await identity.open();
    expect((await identity.login('member@acme.test', 'ACME', {}, { instance: starting })).error).toMatchObject(blocked);

    await starting.startUp();

    expect((await identity.login('member@acme.test', 'ACME', {}, { instance: starting })).data).not.toBeNull();
    await starting.stop();
  });

  it.each([
    ['as it was issued', (key: string) => key, 'OPEN'],
    ['with a changed signature', (key: string) => `${key.slice(0, -8)}AAAAAAAA`, 'LICENSE_EXPIRED'],
    ['without a signature', (key: string) => key.slice(0, key.lastIndexOf('.') + 1), 'LICENSE_EXPIRED'],
  ])('verifies the signature of the configured license key: %s', async (_what, spoil, answer) => {
    const { key, publicKey } = await newLicense('PLATFORM');
    expect(await answerUnder(spoil(key), publicKey)).toBe(answer);
  });

  it('is not fooled by our company code written into the license of another company', async () => {
    const { key, publicKey } = await newLicense('OTHER');
    expect(await answerUnder(renamed(key, 'PLATFORM'), publicKey)).toBe('LICENSE_EXPIRED');
  });
});

describe('rule 2 of the start-up: the license is for another company code than the configured default', () => {
  it('every login is answered with LICENSE_EXPIRED, and the identity provider is not called', async () => {
    const { calls, url, stop } = await startRecordingProxy(identity.providerUrl);
    const mismatched = await identity.open({ IDP_URL: url, DEFAULT_ORGANIZATION_COMPANY_CODE: 'OTHER' });
    await mismatched.startUp();
    calls.length = 0;

    for (const [username, companyCode] of [
      ['member@acme.test', 'ACME'],
      ['admin@foyer.test', 'PLATFORM'],
      ['nobody@acme.test', 'ACME'],
      ['member@acme.test', 'OTHER'],
    ] as const) {
      for (const platform of ['WEB', 'MOBILE']) {
        const { error, cookies } = await identity.login(username, companyCode, { platform }, { instance: mismatched });
        expect(error).toMatchObject(blocked);
        expect(cookies).toEqual([]);
      }
    }

    expect(calls).toEqual([]);
    await Promise.all([mismatched.stop(), stop()]);
  });
});
