import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startScratchIdentity, type ScratchIdentity } from '../testing/scratch-identity.ts';

let house: ScratchIdentity;

beforeAll(async () => {
  house = await startScratchIdentity();
});

afterAll(() => house.stop());

const document = `mutation ($input: RefreshInput!) { refresh(input: $input) { accessToken refreshToken } }`;
const logout = `mutation ($input: LogoutInput) { logout(input: $input) { ended } }`;
const refreshWith = (...cookies: string[]) => {
  const [refreshToken, ...otherRefreshTokens] = cookies;
  return house.ask(document, { input: { clientType: 'MOBILE', refreshToken, otherRefreshTokens } });
};

/** A token that was exchanged long ago, and the one that counts now. */
async function staleAndLive() {
  const { refreshToken: stale } = await house.signedIn('member@acme.test', 'ACME');
  const { data } = await house.refresh(stale);
  const { refreshToken: live } = (data ?? {})['refresh'] as { refreshToken: string };
  await house.db.refreshSession.updateMany({ data: { rotatedAt: new Date(Date.now() - 11_000) } });
  return { stale, live };
}

describe('several refresh cookies of one browser', () => {
  it('a stale one in front of the live one ends nothing, in either order', async () => {
    const one = await staleAndLive();
    expect((await refreshWith(one.stale, one.live)).error).toBeUndefined();
    const other = await staleAndLive();
    expect((await refreshWith(other.live, other.stale)).error).toBeUndefined();
  });

  it('one of a session that has ended keeps nobody out of the live one', async () => {
    const { refreshToken: ended } = await house.signedIn('member@acme.test', 'ACME');
    await house.ask(logout, { input: { refreshToken: ended } });
    const { live } = await staleAndLive();
    expect((await refreshWith(ended, 'planted', live)).error).toBeUndefined();
  });

  it('a stale one alone is still a theft: the session ends', async () => {
    const { stale, live } = await staleAndLive();
    expect((await refreshWith('planted', stale)).error?.['reason']).toBe('refresh_token_reused');
    expect((await refreshWith(live)).error?.['reason']).toBe('invalid_refresh_token');
  });

  it('logging out ends the live session, not the one of a stale cookie', async () => {
    const { refreshToken: ended } = await house.signedIn('member@acme.test', 'ACME');
    await house.ask(logout, { input: { refreshToken: ended } });
    const { live } = await staleAndLive();
    const input = { refreshToken: ended, otherRefreshTokens: [live] };
    expect((await house.ask(logout, { input })).data).toEqual({ logout: { ended: true } });
    expect((await refreshWith(live)).error?.['reason']).toBe('invalid_refresh_token');
  });
});

describe('refreshing', () => {
  it('is refused to disabled accounts only: pending and invited ones pass', async () => {
    const { refreshToken } = await house.signedIn('viewer@acme.test', 'ACME');
    let token = refreshToken;
    for (const accountState of ['pending', 'invited', 'active'] as const) {
      await house.db.authUser.updateMany({ where: { email: 'viewer@acme.test' }, data: { accountState } });
      const { data } = await house.refresh(token);
      ({ refreshToken: token } = (data ?? {})['refresh'] as { refreshToken: string });
    }
    await house.db.authUser.updateMany({ where: { email: 'viewer@acme.test' }, data: { accountState: 'disabled' } });
    expect((await house.refresh(token)).error).toMatchObject({ code: 'UNAUTHENTICATED', reason: 'ACCOUNT_DISABLED' });
  });
});
