import { generateKeyPairSync } from 'node:crypto';

import { systemClock } from '@foyer/shared/clock';
import { newId } from '@foyer/shared/ids';
import { signLegacyToken } from '@foyer/shared/auth/legacy-token';
import { openLog } from '@foyer/shared/telemetry/log';
import type { Events } from '@foyer/shared/events/events';
import { assertMayChange } from '@foyer/shared/auth/viewer';
import { describe, expect, it } from 'vitest';

import { openAuthentication, openEdgeAuthentication } from './authentication.ts';
import { openTokens } from './tokens/tokens.ts';

const legacySecret = 'a secret of the legacy services, long enough';
const silent: Events = { subscribe: () => () => undefined, stop: () => Promise.resolve() };
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const config = {
  accessSeconds: 900,
  keys: [key],
  legacySecret,
  enforcePasswordChange: false,
  issuer: 'foyer-auth',
  legacyAuthUrl: undefined,
  revocationFail: { reads: 'open', writes: 'open' },
} as const;

/** Authentication that can not read whether a customer's session has ended. */
async function unsure(onFailure: 'open' | 'closed', reads: 'open' | 'closed' = 'open') {
  const { authenticate } = await openAuthentication({
    config: { ...config, keys: [key], revocationFail: { reads, writes: onFailure } },
    db: {} as never,
    clock: systemClock,
    log: openLog('silent'),
    events: silent,
    customerStandingOf: () => Promise.reject(new Error('the database is down')),
  });
  const token = await signLegacyToken(legacySecret, { custId: 'C-1' }, 60);
  return authenticate({ authorization: `Bearer ${token}` });
}

describe('a customer, while it is unknown whether their session has ended', () => {
  it('may read and change nothing, unless the operator has decided otherwise', async () => {
    const { viewer } = await unsure('closed');
    expect(viewer).toMatchObject({ kind: 'customer', custId: 'C-1' });
    expect(() => assertMayChange(viewer)).toThrow('can not be known');
  });

  it('may change things where the operator trusts the last known state', async () => {
    const { viewer } = await unsure('open');
    expect(() => assertMayChange(viewer)).not.toThrow();
  });

  it('is not authenticated where reads fail closed', async () => {
    await expect(unsure('closed', 'closed')).rejects.toMatchObject({ reason: 'REVOCATION_UNKNOWN' });
  });
});

it('a token from before a shorter lifetime was set is refused at that age: its revocation is no longer remembered', async () => {
  let now = new Date('2030-01-01T12:00:00Z');
  const clock = { now: () => now };
  const { authenticate, stop } = await openEdgeAuthentication({
    config: { ...config, keys: [key] },
    records: {
      readRevoked: async () => ({ blocks: new Map(), endedSessions: new Set() }),
      watchRevoked: () => () => undefined,
      isMember: async () => true,
    },
    clock,
    log: openLog('silent'),
    customerStandingOf: async () => 'good',
  });
  const before = openTokens({
    privateKey: key,
    refreshSecret: legacySecret,
    accessSeconds: 3_600,
    refreshSeconds: 7_200,
    clock,
  });
  const organization = { id: newId(), slug: 'acme', role: 'ORG_MEMBER' };
  const person = { userId: newId(), idpUserId: '312345678901234567', sessionId: newId(), organization };
  const authorization = `Bearer ${await before.signAccess(person, now.getTime() / 1_000, before.accessSeconds)}`;

  now = new Date('2030-01-01T12:14:59Z');
  await expect(authenticate({ authorization })).resolves.toMatchObject({ viewer: { userId: person.userId } });
  now = new Date('2030-01-01T12:15:00Z');
  await expect(authenticate({ authorization })).rejects.toThrow('Sign in first');
  stop();
});
