import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { settlePasswordAttemptJob } from '../passwords/settle-password-attempt.ts';
import { startObstructedIdentity, type ObstructedIdentity } from '../testing/obstructed-identity.ts';
import { resetLinkFor } from '../testing/reset-link.ts';
import { password } from '../testing/test-identity.ts';

let own: ObstructedIdentity;
let identity: ObstructedIdentity['identity'];
let provider: ObstructedIdentity['provider'];
let instance: ObstructedIdentity['instance'];

beforeAll(async () => {
  own = await startObstructedIdentity();
  ({ identity, provider, instance } = own);
});
afterAll(() => own?.stop());

const change = `mutation ($input: ChangePasswordInput!) { changePassword(input: $input) { endedSessions } }`;
const confirm = `mutation ($input: ConfirmPasswordResetInput!) { confirmPasswordReset(input: $input) { endedSessions } }`;
const setStatus = `mutation ($input: SetOrganizationStatusInput!) { setOrganizationStatus(input: $input) { status } }`;

/** Idle open transactions, and locks on rows. */
const held = async () => {
  const [found] = await identity.db.$queryRaw<{ open: number }[]>`
    SELECT count(*)::int AS "open" FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND state LIKE 'idle in transaction%'`;
  return found?.open;
};

/** Creates a person with a session and a password of their own. */
async function someone(name: string) {
  const { idpOrgId, id: orgId } = await identity.db.authOrganization.findUniqueOrThrow({
    where: { companyCode: 'ACME' },
  });
  const email = `${name}@acme.test`;
  const idpUserId = await identity.provider.createUser({
    organizationId: idpOrgId ?? '',
    username: email,
    email,
    givenName: name,
    familyName: 'Lim',
    password,
  });
  const { accessToken } = await identity.loggedIn(email, 'ACME');
  const user = await identity.db.authUser.findUniqueOrThrow({ where: { idpUserId } });
  return { email, userId: user.id, orgId, accessToken };
}

/** Resolves once a call that follows has asked for a lease twice: somebody else holds it. */
function comesToWait(): Promise<'waits'> {
  const asked = () => identity.queries.filter((sql) => sql.includes('INSERT INTO auth.rate_limits')).length;
  const before = asked();
  return vi.waitFor(() => expect(asked()).toBeGreaterThan(before + 1), 10_000).then(() => 'waits');
}

let count = 0;

async function application() {
  count += 1;
  const companyCode = `KIOSK${count}`;
  const email = `kiosk${count}@applicant.test`;
  const account = await identity.db.authOrganization.create({
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
  await identity.db.organization.create({ data: { id: account.id, name: account.name, status: 'pending' } });
  return { id: account.id, name: account.name, email };
}

describe('while the identity provider is slow, no lock is held here', () => {
  it('by a change of password', async () => {
    const { accessToken: token } = await someone('patient');
    const waiting = provider.hold('UpdateUser');
    const input = { currentPassword: password, newPassword: 'Patient-Secret-1' };
    const answer = identity.ask(change, { input }, { token, instance });
    await waiting.done;
    expect(await held()).toBe(0);
    waiting.release();
    expect((await answer).data).toEqual({ changePassword: { endedSessions: 0 } });
  });

  it('by a reset; and a lost answer leaves the link valid', async () => {
    const { userId } = await someone('forgetful');
    const input = { token: await resetLinkFor(identity.db, userId), password: 'Forgetful-Secret-1' };
    const waiting = provider.hold('UpdateUser');
    const answer = identity.ask(confirm, { input }, { instance });
    await waiting.done;
    expect(await held()).toBe(0);
    const second = await identity.ask(confirm, { input }, { instance });
    expect(second.error?.['reason']).toBe('PASSWORD_RESET_INVALID');
    waiting.cut();
    expect((await answer).error?.['reason']).toBe('IDENTITY_PROVIDER_DOWN');
    const third = await identity.ask(confirm, { input }, { instance });
    expect(third.data).toEqual({ confirmPasswordReset: { endedSessions: 1 } });
  });

  it('by an approval', async () => {
    const { id: organizationId } = await application();
    const { accessToken: token } = await identity.loggedIn('admin@foyer.test', 'PLATFORM');
    const waiting = provider.hold('AddOrganization');
    const input = { organizationId, status: 'ACTIVE' };
    const answer = identity.ask(setStatus, { input }, { token, instance });
    await waiting.done;
    expect(await held()).toBe(0);
    waiting.release();
    expect((await answer).data).toEqual({ setOrganizationStatus: { status: 'ACTIVE' } });
  });
});

const sessionsOf = (userId: string) => identity.db.refreshSession.count({ where: { userId } });

describe('a crash between the confirmation of the provider and our commit', () => {
  it('of a changed password leaves a recorded attempt, and a job ends the other sessions', async () => {
    const { email, accessToken: token, userId } = await someone('changing');
    await identity.loggedIn(email, 'ACME');
    const waiting = provider.hold('UpdateUser');
    const input = { currentPassword: password, newPassword: 'Changing-Secret-1' };
    const answer = identity.ask(change, { input }, { token, instance });
    await waiting.done;
    expect(await sessionsOf(userId)).toBe(2);

    await identity.work(settlePasswordAttemptJob.name);

    expect(await identity.db.refreshSession.findMany({ where: { userId } })).toMatchObject([
      { id: decodeJwt(token)['sid'] },
    ]);
    expect(await identity.db.passwordAttempt.count({ where: { userId } })).toBe(0);
    waiting.cut();
    expect((await answer).error?.['reason']).toBe('IDENTITY_PROVIDER_DOWN');
  });

  it('of a forgotten password leaves a recorded attempt, and a job ends every session', async () => {
    const { userId } = await someone('forgotten');
    const input = { token: await resetLinkFor(identity.db, userId), password: 'Forgotten-Secret-1' };
    const waiting = provider.hold('UpdateUser');
    const answer = identity.ask(confirm, { input }, { instance });
    await waiting.done;

    await identity.work(settlePasswordAttemptJob.name);

    expect(await sessionsOf(userId)).toBe(0);
    expect(await identity.db.userBlock.count({ where: { userId } })).toBe(1);
    waiting.release();
    expect((await answer).data).toEqual({ confirmPasswordReset: { endedSessions: 0 } });
  });

  it('leaves no attempt that the provider has refused, so the job ends nothing', async () => {
    const { email, accessToken: token, userId } = await someone('refused');
    await identity.loggedIn(email, 'ACME');
    const simple = { currentPassword: password, newPassword: 'simple' };
    expect((await identity.ask(change, { input: simple }, { token })).error?.['reason']).toBe('PASSWORD_TOO_SIMPLE');
    const wrong = { currentPassword: 'Wrong-Secret-1', newPassword: 'Refused-Secret-1' };
    expect((await identity.ask(change, { input: wrong }, { token })).error?.['reason']).toBe('INVALID_CREDENTIALS');

    await identity.work(settlePasswordAttemptJob.name);

    expect(await sessionsOf(userId)).toBe(2);
    expect(await identity.db.passwordAttempt.count({ where: { userId } })).toBe(0);
  });
});

describe('a new password', () => {
  it('that is set after a lost answer ends no session that is opened with it', async () => {
    const { email, userId } = await someone('repeating');
    const input = { token: await resetLinkFor(identity.db, userId), password: 'Repeating-Secret-1' };
    const waiting = provider.hold('UpdateUser');
    const lost = identity.ask(confirm, { input }, { instance });
    await waiting.done;
    waiting.cut();
    expect((await lost).error?.['reason']).toBe('IDENTITY_PROVIDER_DOWN');
    const repeated = await identity.ask(confirm, { input }, { instance });
    expect(repeated.data).toEqual({ confirmPasswordReset: { endedSessions: 1 } });
    expect((await identity.login(email, 'ACME', { password: input.password })).data).not.toBeNull();

    await identity.work(settlePasswordAttemptJob.name);

    expect(await sessionsOf(userId)).toBe(1);
  });

  it('that is set with a link makes a change of the same password wait', async () => {
    const { accessToken: token, userId } = await someone('hasty');
    const input = { token: await resetLinkFor(identity.db, userId), password: 'Hasty-Secret-1' };
    const waiting = provider.hold('UpdateUser');
    const resetting = identity.ask(confirm, { input }, { instance });
    await waiting.done;
    const waits = comesToWait();
    const changed = { currentPassword: input.password, newPassword: 'Hasty-Secret-2' };
    const changing = identity.ask(change, { input: changed }, { token, instance });

    expect(await Promise.race([changing.then(() => 'is done'), waits])).toBe('waits');

    waiting.release();
    expect((await resetting).data).toEqual({ confirmPasswordReset: { endedSessions: 1 } });
    expect((await changing).error?.['code']).toBe('UNAUTHENTICATED');
  });
});

describe('a link to choose a new password', () => {
  it('is worth nothing any more when its owner has changed the password', async () => {
    const { accessToken: token, userId } = await someone('remembering');
    const link = await resetLinkFor(identity.db, userId);
    const changed = { currentPassword: password, newPassword: 'Remembering-Secret-1' };
    expect((await identity.ask(change, { input: changed }, { token })).error).toBeUndefined();

    const { error } = await identity.ask(confirm, { input: { token: link, password: 'Remembering-Secret-2' } });

    expect(error?.['reason']).toBe('PASSWORD_RESET_INVALID');
  });
});

describe('an approval that the provider knows and we do not', () => {
  it('is completed by the next one, with the existing organization', async () => {
    const { id: organizationId, name } = await application();
    const { accessToken: token } = await identity.loggedIn('admin@foyer.test', 'PLATFORM');
    const input = { organizationId, status: 'ACTIVE' };
    const waiting = provider.hold('AddOrganization');
    const answer = identity.ask(setStatus, { input }, { token, instance });
    await waiting.done;
    waiting.cut();
    expect((await answer).error?.['reason']).toBe('IDENTITY_PROVIDER_DOWN');
    const orphan = await identity.provider.findOrganization({ name });
    expect(orphan).not.toBeNull();

    const next = await identity.ask(setStatus, { input }, { token, instance });

    expect(next.data).toEqual({ setOrganizationStatus: { status: 'ACTIVE' } });
    const approved = await identity.db.authOrganization.findUniqueOrThrow({ where: { id: organizationId } });
    expect(approved.idpOrgId).toBe(orphan?.id);
  });

  it('is deleted at the provider along with the application', async () => {
    const { id, name } = await application();
    const { accessToken: token } = await identity.loggedIn('admin@foyer.test', 'PLATFORM');
    const waiting = provider.hold('AddOrganization');
    const input = { organizationId: id, status: 'ACTIVE' };
    const answer = identity.ask(setStatus, { input }, { token, instance });
    await waiting.done;
    waiting.cut();
    await answer;
    await identity.ask('mutation ($id: ID!) { deleteOrganization(id: $id) }', { id }, { token });
    expect(await identity.provider.findOrganization({ name })).toBeNull();
  });

  it.each([
    ['has another user name', (email: string) => ({ username: `other-${email}`, email }), []],
    ['has another address', (email: string) => ({ username: email, email: `other-${email}` }), []],
    ['is not alone', (email: string) => ({ username: email, email }), ['second']],
  ])('never takes an organization that has the name and whose administrator %s', async (_who, naming, more) => {
    const { id: organizationId, name, email } = await application();
    const stranger = { ...naming(email), givenName: 'X', familyName: 'Y', password };
    const foreign = await identity.provider.createOrganizationWithAdmin(name, stranger);
    for (const one of more) {
      const names = { username: `${one}-${email}`, email: `${one}-${email}` };
      await identity.provider.createUser({ ...stranger, ...names, organizationId: foreign.organizationId });
    }
    const { accessToken: token } = await identity.loggedIn('admin@foyer.test', 'PLATFORM');
    const input = { organizationId, status: 'ACTIVE' };
    const { error } = await identity.ask(setStatus, { input }, { token, instance });
    expect(error?.['reason']).toBe('ORGANIZATION_NAME_TAKEN');
    expect(await identity.provider.findOrganization({ id: foreign.organizationId })).not.toBeNull();
  });
});
