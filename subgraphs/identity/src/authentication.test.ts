import { generateKeyPairSync } from 'node:crypto';

import { systemClock } from '@foyer/shared/clock';
import { signLegacyToken } from '@foyer/shared/auth/legacy-token';
import { openLog } from '@foyer/shared/telemetry/log';
import type { Events } from '@foyer/shared/events/events';
import { assertMayChange } from '@foyer/shared/auth/viewer';
import { describe, expect, it } from 'vitest';

import { openAuthentication } from './authentication.ts';

const legacySecret = 'a secret of the legacy services, long enough';
const silent: Events = { subscribe: () => () => undefined, stop: () => Promise.resolve() };
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** Authentication that can not read whether a customer's session has ended. */
async function unsure(onFailure: 'open' | 'closed', reads: 'open' | 'closed' = 'open') {
  const { authenticate } = await openAuthentication({
    config: {
      accessSeconds: 900,
      keys: [privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()],
      legacySecret,
      enforcePasswordChange: false,
      issuer: 'foyer-auth',
      legacyAuthUrl: undefined,
      revocationFail: { reads, writes: onFailure },
    },
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
