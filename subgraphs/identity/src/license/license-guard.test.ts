import { generateKeyPairSync } from 'node:crypto';

import { openLog, type Log } from '@foyer/shared/telemetry/log';
import { describe, expect, it, vi } from 'vitest';

import { licenseGuard } from './license-guard.ts';
import { issueLicense } from './license.ts';

const newKeys = () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  };
};
const { privateKey, publicKey } = newKeys();
const stranger = newKeys();
const start = new Date('2030-01-01T00:00:00Z');
const day = (count: number) => new Date(start.getTime() + count * 86_400_000);

async function guard({ signedBy = privateKey, licensed = 'acme', configured = 'ACME', days = 30 } = {}) {
  const clock = { time: start, now: () => clock.time };
  const key = await issueLicense(
    signedBy,
    { companyCode: licensed, hostingType: 'cloud', expiresAt: day(days) },
    start,
  );
  const guarded = licenseGuard({ key, publicKey, companyCode: configured, clock, log: openLog('silent') });
  return { clock, guarded };
}

describe('the license guard', () => {
  it('blocks logins before the license was read', async () => {
    const { guarded } = await guard();
    expect(() => guarded.assertLicensed()).toThrow('no valid license');
  });

  it('allows logins with a license for the company, in any case, until it expires', async () => {
    const { guarded, clock } = await guard({ days: 30 });
    await guarded.start();
    expect(() => guarded.assertLicensed()).not.toThrow();
    clock.time = day(30);
    expect(() => guarded.assertLicensed()).toThrow('no valid license');
    guarded.stop();
  });

  it('reads the license again every 24 hours', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const complaints: unknown[] = [];
    const log = { warn: () => undefined, error: (...words: unknown[]) => complaints.push(words) } as unknown as Log;
    const clock = { time: start, now: () => clock.time };
    const license = { companyCode: 'acme', hostingType: 'cloud', expiresAt: day(1) } as const;
    const key = await issueLicense(privateKey, license, start);
    const guarded = licenseGuard({ key, publicKey, companyCode: 'acme', clock, log });
    await guarded.start();
    expect(complaints).toEqual([]);

    clock.time = day(2);
    await vi.advanceTimersByTimeAsync(86_400_000);
    vi.useRealTimers();
    await expect.poll(() => complaints).toHaveLength(1);
    expect(guarded.licensed()).toBe(false);
    guarded.stop();
  });

  it('says every day that the license ends soon, for a month before its end, and nothing earlier', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const warnings: unknown[] = [];
    const log = { warn: (about: unknown) => void warnings.push(about) } as unknown as Log;
    const clock = { time: start, now: () => clock.time };
    const license = { companyCode: 'acme', hostingType: 'cloud', expiresAt: day(365) } as const;
    const key = await issueLicense(privateKey, license, start);
    const guarded = licenseGuard({ key, publicKey, companyCode: 'acme', clock, log });
    clock.time = day(335);
    await guarded.start();
    expect(warnings).toEqual([]);

    clock.time = day(336);
    await vi.advanceTimersByTimeAsync(86_400_000);
    vi.useRealTimers();
    await expect.poll(() => warnings).toEqual([{ until: day(365) }]);
    expect(guarded.licensed()).toBe(true);
    guarded.stop();
  });

  it.each([
    ['is for another company', { licensed: 'OTHER' }],
    ['was signed by somebody else', { signedBy: stranger.privateKey }],
    ['has expired', { days: -1 }],
  ])('blocks logins when the license %s', async (_why, changes) => {
    const { guarded } = await guard(changes);
    await guarded.start();
    expect(() => guarded.assertLicensed()).toThrow('no valid license');
    guarded.stop();
  });
});
