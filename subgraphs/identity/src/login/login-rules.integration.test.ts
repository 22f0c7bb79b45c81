import { waitsForALock } from '@foyer/prisma/testing/waits-for-a-lock';
import { demo } from '@foyer/shared/demo';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startRecordingProxy } from '../testing/recording-proxy.ts';
import { password, startTestIdentity, type TestIdentity } from '../testing/test-identity.ts';

let identity: TestIdentity;

beforeAll(async () => {
  identity = await startTestIdentity();
});
afterAll(() => identity.stop());

const wrong = { password: 'Wrong-password-1' };
const orgOf = (token: string) => decodeJwt(token)['org'] as { role: string };
const member = () => identity.db.authUser.findFirstOrThrow({ where: { email: 'member@acme.test' } });

async function withAcme<Result>(status: 'pending' | 'disabled', run: () => Promise<Result>): Promise<Result> {
  const where = { id: demo.acme.organizationId };
  await identity.db.authOrganization.update({ where, data: { status } });
  try {
    return await run();
  } finally {
    await identity.db.authOrganization.update({ where, data: { status: 'active' } });
  }
}

async function withMember<Result>(
  accountState: 'pending' | 'disabled' | 'invited',
  run: () => Promise<Result>,
): Promise<Result> {
  const { id } = await member();
  await identity.db.authUser.update({ where: { id }, data: { accountState } });
  try {
    return await run();
  } finally {
    await identity.db.authUser.update({ where: { id }, data: { accountState: 'active' } });
  }
}

describe('login rule 1: the license', () => {
  it('comes first: a server without one answers LICENSE_EXPIRED, whatever else is wrong', async () => {
    const unlicensed = await identity.open({ DEFAULT_ORGANIZATION_COMPANY_CODE: 'OTHER' });
    const incomplete = { ...wrong, platform: 'WEB' };

    const { error } = await identity.login('nobody', null, incomplete, { instance: unlicensed });

    expect(error).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', reason: 'LICENSE_EXPIRED' });
    await unlicensed.stop();
  });

  it('does not call the identity provider while the guard is blocked, whoever logs in', async () => {
    const { calls, url, stop } = await startRecordingProxy(identity.providerUrl);
    const licensed = await identity.open({ IDP_URL: url });
    const unlicensed = await identity.open({ IDP_URL: url, LICENSE_KEY: '' });
    await licensed.startUp();
    await unlicensed.startUp();
    calls.length = 0;

    for (const changes of [{}, wrong, { username: 'nobody' }]) {
      const { error } = await identity.login('member@acme.test', 'ACME', changes, { instance: unlicensed });
      expect(error?.['reason']).toBe('LICENSE_EXPIRED');
    }

    expect(calls).toEqual([]);
    expect((await identity.login('member@acme.test', 'ACME', {}, { instance: licensed })).data).not.toBeNull();
    expect(calls.length).toBeGreaterThan(1); // so that finding nothing means something
    await Promise.all([licensed.stop(), unlicensed.stop(), stop()]);
  });
});

describe('login rule 2: the company code', () => {
  it('is required of web clients, before any password is checked', async () => {
    for (const code of [null, '', '   ']) {
      const { error } = await identity.login('orgadmin@acme.test', code, { ...wrong, platform: 'WEB' });
      expect(error).toMatchObject({ code: 'BAD_USER_INPUT', reason: 'COMPANY_CODE_REQUIRED' });
    }
  });

  it('may be left out by mobile clients', async () => {
    expect((await identity.login('orgadmin@acme.test', null)).data).not.toBeNull();
  });
});

describe('login rule 3: exactly one person', () => {
  it('is found by login name, then by e-mail; an address of two people is nobody', async () => {
    const { idpOrgId } = await identity.db.authOrganization.findUniqueOrThrow({
      where: { id: demo.acme.organizationId },
    });
    for (const username of ['twin-one', 'twin-two']) {
      const twin = { username, email: 'twins@acme.test', givenName: 'Twin', familyName: username, password };
      await identity.provider.createUser({ organizationId: idpOrgId ?? '', ...twin });
    }

    expect((await identity.login('twin-one', 'ACME')).data).not.toBeNull();
    expect((await identity.login('twins@acme.test', 'ACME')).error?.['reason']).toBe('INVALID_CREDENTIALS');
  });
});

describe('an address that occurs in two organizations', () => {
  it('logs each person in to their own, with its company code; without one it matches nobody', async () => {
    const email = 'shared@twice.test';
    for (const companyCode of ['ACME', 'PLATFORM']) {
      const { idpOrgId } = await identity.db.authOrganization.findUniqueOrThrow({ where: { companyCode } });
      const person = {
        username: `shared-${companyCode}`,
        email,
        givenName: 'Shared',
        familyName: companyCode,
        password,
      };
      await identity.provider.createUser({ organizationId: idpOrgId ?? '', ...person });
    }

    for (const companyCode of ['ACME', 'PLATFORM'])
      expect((await identity.login(email, companyCode)).data?.['login']).toMatchObject({
        user: { name: `Shared ${companyCode}` },
      });
    expect((await identity.login(email, null)).error?.['reason']).toBe('INVALID_CREDENTIALS');
  });

  it('does not block its owner when somebody elsewhere has it as a login name', async () => {
    const email = 'owner@name.test';
    const people = { ACME: 'the-owner', PLATFORM: email };
    for (const [companyCode, username] of Object.entries(people)) {
      const { idpOrgId } = await identity.db.authOrganization.findUniqueOrThrow({ where: { companyCode } });
      const person = { username, email: `${username}@x.test`, givenName: 'Mei', familyName: companyCode, password };
      const address = companyCode === 'ACME' ? { email } : {};
      await identity.provider.createUser({ organizationId: idpOrgId ?? '', ...person, ...address });
    }
    expect((await identity.login(email, 'ACME')).data?.['login']).toMatchObject({ user: { name: 'Mei ACME' } });
  });
});

describe('login rule 4: the organization', () => {
  it('is found by its company code in any case', async () => {
    for (const code of ['acme', 'Acme', ' ACME ']) {
      expect((await identity.login('member@acme.test', code)).data).not.toBeNull();
    }
  });

  it('answers a non-member as if the password were wrong', async () => {
    const stranger = await identity.login('orgadmin@acme.test', 'PLATFORM');
    const mistaken = await identity.login('orgadmin@acme.test', 'ACME', wrong);
    expect(stranger.error).toMatchObject({ code: 'UNAUTHENTICATED', reason: 'INVALID_CREDENTIALS' });
    expect([stranger.message, stranger.error]).toEqual([mistaken.message, mistaken.error]);
  });
});

describe('login rule 5: organization and account', () => {
  it('are refused with their own reasons, to somebody who knows the password', async () => {
    const reason = async () => (await identity.login('member@acme.test', 'ACME')).error;
    expect(await withAcme('pending', reason)).toMatchObject({ code: 'FORBIDDEN', reason: 'ORG_PENDING' });
    expect(await withAcme('disabled', reason)).toMatchObject({ code: 'FORBIDDEN', reason: 'ORG_DISABLED' });
    for (const state of ['disabled', 'pending', 'invited'] as const) {
      const expected = { code: 'FORBIDDEN', reason: `ACCOUNT_${state.toUpperCase()}` };
      expect(await withMember(state, reason)).toMatchObject(expected);
    }
  });

  it('are not revealed to anybody else', async () => {
    const guess = async () => (await identity.login('member@acme.test', 'ACME', wrong)).error?.['reason'];
    expect(await withAcme('disabled', guess)).toBe('INVALID_CREDENTIALS');
    expect(await withMember('disabled', guess)).toBe('INVALID_CREDENTIALS');
  });

  it('do not count as failures', async () => {
    await identity.db.rateLimit.deleteMany();
    await withMember('disabled', async () => {
      for (let attempt = 0; attempt < 12; attempt++) await identity.login('member@acme.test', 'ACME');
    });
    expect((await identity.login('member@acme.test', 'ACME')).data).not.toBeNull();
  });

  it('are checked again when the session opens: an account that is disabled meanwhile gets none', async () => {
    const { id } = await member();
    await identity.db.refreshSession.deleteMany({ where: { userId: id } });
    const answer = await identity.db.$transaction(
      async (tx) => {
        await tx.authUser.update({ where: { id }, data: { accountState: 'disabled' } });
        const login = identity.login('member@acme.test', 'ACME');
        await waitsForALock(identity.db); // the password has been checked while the account was still active
        return { login };
      },
      { timeout: 60_000 },
    );
    expect((await answer.login).error?.['reason']).toBe('ACCOUNT_DISABLED');
    expect(await identity.db.refreshSession.count({ where: { userId: id } })).toBe(0);
    await identity.db.authUser.update({ where: { id }, data: { accountState: 'active' } });
  });
});

describe('login rule 6: the local record', () => {
  it('is created at the first login; of a known person only the e-mail is updated', async () => {
    const { id, username } = await member();
    await identity.db.authUser.update({ where: { id }, data: { email: 'old@acme.test', username: 'renamed' } });

    await identity.login('member@acme.test', 'ACME');

    expect(await identity.db.authUser.findUnique({ where: { id } })).toMatchObject({
      email: 'member@acme.test',
      username: 'renamed',
    });
    await identity.db.authUser.update({ where: { id }, data: { username } });
  });
});

describe('login rule 7: the role', () => {
  it('is the literal member when it can not be read within five seconds; the next refresh gets the real one', async () => {
    const { id } = await member();
    // The table is locked until the answer is there: waiting for it would take forever.
    const answer = await identity.db.$transaction(
      async (tx) => {
        await tx.$executeRaw`LOCK TABLE tenancy.organization_members IN ACCESS EXCLUSIVE MODE`;
        return identity.login('member@acme.test', 'ACME');
      },
      { timeout: 60_000 },
    );
    const tokens = answer.data?.['login'] as { accessToken: string; refreshToken: string; expiresIn: number };

    expect([orgOf(tokens.accessToken).role, tokens.expiresIn]).toEqual(['member', 60]);
    expect(await identity.db.auditEntry.findFirst({ where: { action: 'role.missed', actorId: id } })).not.toBeNull();
    const healed = (await identity.refresh(tokens.refreshToken)).data?.['refresh'] as typeof tokens;
    expect([orgOf(healed.accessToken).role, healed.expiresIn]).toEqual(['ORG_MEMBER', 900]);
  });

  it('is waited for twice, and less than five seconds in all', async () => {
    const [wait] = await identity.db.$queryRaw<{ ms: number }[]>`
      SELECT extract(epoch FROM substring(setting FROM 'lock_timeout=(.*)')::interval)::float * 1000 AS ms
      FROM pg_proc, unnest(proconfig) AS setting WHERE oid = 'auth.standing_of'::regproc AND setting LIKE 'lock_timeout=%'`;
    expect(wait && 2 * wait.ms).toBeLessThan(5_000);
  });
});

describe('login rule 8: the tokens', () => {
  it('belong to one session, which names the device', async () => {
    const { accessToken } = await identity.loggedIn('member@acme.test', 'ACME');
    const session = await identity.db.refreshSession.findUnique({
      where: { id: String(decodeJwt(accessToken)['sid']) },
    });
    expect(session).toMatchObject({ platform: 'mobile', device: 'a browser', address: '192.0.2.1' });
  });
});
