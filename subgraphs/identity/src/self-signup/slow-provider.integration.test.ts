import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { obstruct, type ObstructedProvider } from '../testing/obstructed-provider.ts';
import type { Identity } from '../app.ts';
import { settlePasswordAttemptJob } from '../passwords/settle-password-attempt.ts';
import { newLinkToken } from '../tokens/link-token.ts';
import { password, startScratchIdentity, type ScratchIdentity } from '../testing/scratch-identity.ts';

let house: ScratchIdentity;
let provider: ObstructedProvider;
let identity: Identity;

beforeAll(async () => {
  house = await startScratchIdentity();
  provider = await obstruct(house.providerUrl);
  identity = await house.open({ IDP_URL: provider.url });
});

afterAll(async () => {
  await identity.stop();
  await provider.stop();
  await house.stop();
});

const change = `mutation ($input: ChangePasswordInput!) { changePassword(input: $input) { endedSessions } }`;
const confirm = `mutation ($input: ConfirmPasswordResetInput!) { confirmPasswordReset(input: $input) { endedSessions } }`;
const setStatus = `mutation ($input: SetOrganizationStatusInput!) { setOrganizationStatus(input: $input) { status } }`;

/** Transactions that are open although nobody works in them, and locks on rows. */
const held = async () => {
  const [found] = await house.db.$queryRaw<{ open: number }[]>`
    SELECT count(*)::int AS "open" FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND state LIKE 'idle in transaction%'`;
  return found?.open;
};

/** Somebody with a session, and a password of their own. */
async function someone(name: string) {
  const { idpOrgId, id: orgId } = await house.db.authOrganization.findUniqueOrThrow({ where: { companyCode: 'ACME' } });
  const email = `${name}@acme.test`;
  const idpUserId = await house.provider.createUser({
    organizationId: idpOrgId ?? '',
    username: email,
    email,
    givenName: name,
    familyName: 'Lim',
    password,
  });
  const { accessToken } = await house.signedIn(email, 'ACME');
  const user = await house.db.authUser.findUniqueOrThrow({ where: { idpUserId } });
  return { email, userId: user.id, orgId, accessToken };
}

let count = 0;

async function application() {
  count += 1;
  const companyCode = `KIOSK${count}`;
  const email = `kiosk${count}@applicant.test`;
  const account = await house.db.authOrganization.create({
    data: {
      name: `Kiosk ${count}`,
      slug: 'kiosk',
      companyCode,
      status: 'pending',
      applicantEmail: email,
      applicantUsername: email,
      applicantGivenName: 'Siti',
      applicantFamilyName: 'Aminah',
    },
  });
  await house.db.organization.create({ data: { id: account.id, name: account.name, status: 'pending' } });
  return { id: account.id, name: account.name, email };
}

describe('while the identity provider takes its time, nothing is held here', () => {
  it('by a change of password', async () => {
    const { accessToken: token } = await someone('patient');
    const waiting = provider.hold('UpdateUser');
    const input = { currentPassword: password, newPassword: 'Patient-Secret-1' };
    const answer = house.ask(change, { input }, { token, house: identity });
    await waiting.done;
    expect(await held()).toBe(0);
    waiting.release();
    expect((await answer).data).toEqual({ changePassword: { endedSessions: 0 } });
  });

  it('by a reset; and an answer that got lost leaves the link good', async () => {
    const { userId } = await someone('forgetful');
    const { token, hash: tokenHash } = newLinkToken();
    await house.db.passwordReset.create({
      data: { userId, tokenHash, expiresAt: new Date(Date.now() + 60_000), usedAt: null },
    });
    const input = { token, password: 'Forgetful-Secret-1' };
    const waiting = provider.hold('UpdateUser');
    const answer = house.ask(confirm, { input }, { house: identity });
    await waiting.done;
    expect(await held()).toBe(0);
    const second = await house.ask(confirm, { input }, { house: identity });
    expect(second.error?.['reason']).toBe('PASSWORD_RESET_INVALID');
    waiting.cut();
    expect((await answer).error?.['reason']).toBe('IDENTITY_PROVIDER_DOWN');
    const third = await house.ask(confirm, { input }, { house: identity });
    expect(third.data).toEqual({ confirmPasswordReset: { endedSessions: 1 } });
  });

  it('by an approval', async () => {
    const { id: organizationId } = await application();
    const { accessToken: token } = await house.signedIn('admin@foyer.test', 'PLATFORM');
    const waiting = provider.hold('AddOrganization');
    const input = { organizationId, status: 'ACTIVE' };
    const answer = house.ask(setStatus, { input }, { token, house: identity });
    await waiting.done;
    expect(await held()).toBe(0);
    waiting.release();
    expect((await answer).data).toEqual({ setOrganizationStatus: { status: 'ACTIVE' } });
  });
});

const sessionsOf = (userId: string) => house.db.refreshSession.count({ where: { userId } });

describe('a crash between the yes of the provider and our commit', () => {
  it('of a changed password leaves a note, and a job ends the other sessions', async () => {
    const { email, accessToken: token, userId } = await someone('changing');
    await house.signedIn(email, 'ACME');
    const waiting = provider.hold('UpdateUser');
    const input = { currentPassword: password, newPassword: 'Changing-Secret-1' };
    const answer = house.ask(change, { input }, { token, house: identity });
    await waiting.done;
    expect(await sessionsOf(userId)).toBe(2);

    await house.work(settlePasswordAttemptJob.name);

    expect(await house.db.refreshSession.findMany({ where: { userId } })).toMatchObject([
      { id: decodeJwt(token)['sid'] },
    ]);
    expect(await house.db.passwordAttempt.count({ where: { userId } })).toBe(0);
    waiting.cut();
    expect((await answer).error?.['reason']).toBe('IDENTITY_PROVIDER_DOWN');
  });

  it('of a forgotten password leaves a note, and a job ends every session', async () => {
    const { userId } = await someone('forgotten');
    const { token, hash: tokenHash } = newLinkToken();
    const expiresAt = new Date(Date.now() + 60_000);
    await house.db.passwordReset.create({ data: { userId, tokenHash, expiresAt, usedAt: null } });
    const waiting = provider.hold('UpdateUser');
    const answer = house.ask(confirm, { input: { token, password: 'Forgotten-Secret-1' } }, { house: identity });
    await waiting.done;

    await house.work(settlePasswordAttemptJob.name);

    expect(await sessionsOf(userId)).toBe(0);
    expect(await house.db.userBlock.count({ where: { userId } })).toBe(1);
    waiting.release();
    expect((await answer).data).toEqual({ confirmPasswordReset: { endedSessions: 0 } });
  });

  it('leaves no note of what the provider has refused, and so the job ends nothing', async () => {
    const { email, accessToken: token, userId } = await someone('refused');
    await house.signedIn(email, 'ACME');
    const simple = { currentPassword: password, newPassword: 'simple' };
    expect((await house.ask(change, { input: simple }, { token })).error?.['reason']).toBe('PASSWORD_TOO_SIMPLE');
    const wrong = { currentPassword: 'Wrong-Secret-1', newPassword: 'Refused-Secret-1' };
    expect((await house.ask(change, { input: wrong }, { token })).error?.['reason']).toBe('INVALID_CREDENTIALS');

    await house.work(settlePasswordAttemptJob.name);

    expect(await sessionsOf(userId)).toBe(2);
    expect(await house.db.passwordAttempt.count({ where: { userId } })).toBe(0);
  });
});

describe('an approval of which the provider knows and we do not', () => {
  it('is completed by the next one, with the organization that is there', async () => {
    const { id: organizationId, name } = await application();
    const { accessToken: token } = await house.signedIn('admin@foyer.test', 'PLATFORM');
    const input = { organizationId, status: 'ACTIVE' };
    const waiting = provider.hold('AddOrganization');
    const answer = house.ask(setStatus, { input }, { token, house: identity });
    await waiting.done;
    waiting.cut();
    expect((await answer).error?.['reason']).toBe('IDENTITY_PROVIDER_DOWN');
    const orphan = await house.provider.findOrganization({ name });
    expect(orphan).not.toBeNull();

    const next = await house.ask(setStatus, { input }, { token, house: identity });

    expect(next.data).toEqual({ setOrganizationStatus: { status: 'ACTIVE' } });
    const approved = await house.db.authOrganization.findUniqueOrThrow({ where: { id: organizationId } });
    expect(approved.idpOrgId).toBe(orphan?.id);
  });

  it('takes what it left there along when the application is deleted', async () => {
    const { id, name } = await application();
    const { accessToken: token } = await house.signedIn('admin@foyer.test', 'PLATFORM');
    const waiting = provider.hold('AddOrganization');
    const input = { organizationId: id, status: 'ACTIVE' };
    const answer = house.ask(setStatus, { input }, { token, house: identity });
    await waiting.done;
    waiting.cut();
    await answer;
    await house.ask('mutation ($id: ID!) { deleteOrganization(id: $id) }', { id }, { token });
    expect(await house.provider.findOrganization({ name })).toBeNull();
  });

  it('never takes an organization of somebody else that has the name', async () => {
    const { id: organizationId, name, email } = await application();
    const stranger = { username: `other-${email}`, email, givenName: 'X', familyName: 'Y', password };
    const foreign = await house.provider.createOrganizationWithAdmin(name, stranger);
    const { accessToken: token } = await house.signedIn('admin@foyer.test', 'PLATFORM');
    const input = { organizationId, status: 'ACTIVE' };
    const { error } = await house.ask(setStatus, { input }, { token, house: identity });
    expect(error?.['reason']).toBe('ORGANIZATION_NAME_TAKEN');
    expect(await house.provider.findOrganization({ id: foreign.organizationId })).not.toBeNull();
  });
});
