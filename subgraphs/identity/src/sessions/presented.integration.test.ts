import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startTestIdentity, type TestIdentity } from '../testing/test-identity.ts';

let identity: TestIdentity;

beforeAll(async () => {
  identity = await startTestIdentity();
});

afterAll(() => identity.stop());

const document = `mutation ($input: RefreshInput!) { refresh(input: $input) { accessToken refreshToken } }`;
const logout = `mutation ($input: LogoutInput) { logout(input: $input) { ended } }`;
const refreshWith = (...cookies: string[]) => {
  const [refreshToken, ...otherRefreshTokens] = cookies;
  return identity.ask(document, { input: { clientType: 'MOBILE', refreshToken, otherRefreshTokens } });
};

/** A token that was exchanged long ago, and the current one. */
async function staleAndLive() {
  const { refreshToken: stale } = await identity.loggedIn('member@acme.test', 'ACME');
  const { data } = await identity.refresh(stale);
  const { refreshToken: live } = (data ?? {})['refresh'] as { refreshToken: string };
  await identity.db.refreshSession.updateMany({ data: { rotatedAt: new Date(Date.now() - 11_000) } });
  return { stale, live };
}

describe('several refresh cookies of one browser', () => {
  it('a stale one in front of the live one ends nothing, in either order', async () => {
    const one = await staleAndLive();
    expect((await refreshWith(one.stale, one.live)).error).toBeUndefined();
    const other = await staleAndLive();
    expect((await refreshWith(other.live, other.stale)).error).toBeUndefined();
  });

  it('one of an ended session does not block the live one', async () => {
    const { refreshToken: ended } = await identity.loggedIn('member@acme.test', 'ACME');
    await identity.ask(logout, { input: { refreshToken: ended } });
    const { live } = await staleAndLive();
    expect((await refreshWith(ended, 'planted', live)).error).toBeUndefined();
  });

  it('a stale one alone is still a theft: the session ends', async () => {
    const { stale, live } = await staleAndLive();
    expect((await refreshWith('planted', stale)).error?.['reason']).toBe('refresh_token_reused');
    expect((await refreshWith(live)).error?.['reason']).toBe('invalid_refresh_token');
  });

  it('logging out ends the live session, not the one of a stale cookie', async () => {
    const { refreshToken: ended } = await identity.loggedIn('member@acme.test', 'ACME');
    await identity.ask(logout, { input: { refreshToken: ended } });
    const { live } = await staleAndLive();
    const input = { refreshToken: ended, otherRefreshTokens: [live] };
    expect((await identity.ask(logout, { input })).data).toEqual({ logout: { ended: true } });
    expect((await refreshWith(live)).error?.['reason']).toBe('invalid_refresh_token');
  });
});

describe('refreshing', () => {
  it('is refused to disabled accounts only: pending and invited ones pass', async () => {
    const { refreshToken } = await identity.loggedIn('viewer@acme.test', 'ACME');
    let token = refreshToken;
    for (const accountState of ['pending', 'invited', 'active'] as const) {
      await identity.db.authUser.updateMany({ where: { email: 'viewer@acme.test' }, data: { accountState } });
      const { data } = await identity.refresh(token);
      ({ refreshToken: token } = (data ?? {})['refresh'] as { refreshToken: string });
    }
    await identity.db.authUser.updateMany({ where: { email: 'viewer@acme.test' }, data: { accountState: 'disabled' } });
    expect((await identity.refresh(token)).error).toMatchObject({
      code: 'UNAUTHENTICATED',
      reason: 'ACCOUNT_DISABLED',
    });
  });
});
