import { newId } from '@foyer/shared/ids';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { signupCodeHash } from '../self-signup/signup-code.ts';
import { createMember, createOrganization } from '../testing/organization-fixture.ts';
import { startTestIdentity, type TestIdentity } from '../testing/test-identity.ts';
import { newLinkToken } from '../tokens/link-token.ts';

let identity: TestIdentity;

beforeAll(async () => {
  identity = await startTestIdentity();
});

afterAll(() => identity.stop());

const aMoment = 1_000;
const confirmation = `mutation ($input: ConfirmPasswordResetInput!) { confirmPasswordReset(input: $input) { endedSessions } }`;
const application = `mutation ($input: SelfSignupInput!) { selfSignup(input: $input) { status } }`;

/** Creates a password link with this remaining lifetime. */
async function confirmWith(msLeft: number) {
  const { token, hash: tokenHash } = newLinkToken();
  const { id: userId } = await identity.db.authUser.findFirstOrThrow({ where: { email: 'viewer@acme.test' } });
  const link = { tokenHash, expiresAt: new Date(Date.now() + msLeft), usedAt: null };
  await identity.db.passwordReset.upsert({ where: { userId }, create: { userId, ...link }, update: link });
  return identity.ask(confirmation, { input: { token, password: 'Another-Secret-2' } });
}

/** Applies with a code of this remaining lifetime. */
async function applyWith(msLeft: number, email = `${newId()}@applicant.test`) {
  const id = newId();
  const expiresAt = new Date(Date.now() + msLeft);
  await identity.db.emailVerificationCode.create({
    data: { id, email, codeHash: signupCodeHash(id, '004711'), expiresAt },
  });
  const companyCode = `C${id.slice(0, 8)}`;
  const applicant = { email, code: '004711', givenName: 'Siti', familyName: 'Aminah' };
  return identity.ask(application, { input: { organizationName: 'Kiosk', companyCode, ...applicant } });
}

describe('what is sent by e-mail', () => {
  it('is good until its time is over: the link of a forgotten password', async () => {
    expect((await confirmWith(-aMoment)).error?.['reason']).toBe('PASSWORD_RESET_INVALID');
    expect((await confirmWith(30 * aMoment)).data).not.toBeNull();
  });

  it('is good until its time is over: the code of an applicant', async () => {
    expect((await applyWith(-aMoment)).error?.['reason']).toBe('SIGNUP_CODE_INVALID');
    expect((await applyWith(30 * aMoment)).data?.['selfSignup']).toEqual({ status: 'PENDING' });
  });
});

it('an applicant with the address of an account does not get a second one', async () => {
  expect((await applyWith(30 * aMoment, 'viewer@acme.test')).error?.['reason']).toBe('EMAIL_TAKEN');
});

describe('a link to choose a new password', () => {
  const requested = `mutation ($input: RequestPasswordResetInput!) { requestPasswordReset(input: $input) { expiresIn } }`;

  /** Requests a link for an address of Acme. @returns how many people have one */
  async function linksAfter(email: string): Promise<number> {
    await identity.db.passwordReset.deleteMany();
    const { error } = await identity.ask(requested, { input: { email, companyCode: 'ACME' } });
    expect(error).toBeUndefined();
    await identity.work('identity.send-password-reset');
    return identity.db.passwordReset.count();
  }

  it('is for an address as it is written, in any case', async () => {
    expect(await linksAfter('VIEWER@acme.test')).toBe(1);
    expect(await linksAfter('viewe_@acme.test')).toBe(0);
    expect(await linksAfter('viewer@acme_test')).toBe(0);
    expect(await linksAfter('%@acme.test')).toBe(0);
  });

  it('is not for people whose account or organization is switched off', async () => {
    const account = { where: { email: 'viewer@acme.test' } };
    await identity.db.authUser.updateMany({ ...account, data: { accountState: 'disabled' } });
    expect(await linksAfter('viewer@acme.test')).toBe(0);
    await identity.db.authUser.updateMany({ ...account, data: { accountState: 'active' } });

    const acme = { where: { companyCode: 'ACME' } };
    await identity.db.authOrganization.update({ ...acme, data: { status: 'disabled' } });
    expect(await linksAfter('viewer@acme.test')).toBe(0);
    await identity.db.authOrganization.update({ ...acme, data: { status: 'active' } });
    expect(await linksAfter('viewer@acme.test')).toBe(1);
  });
});

it('a new password changes nothing for anybody else', async () => {
  const { db } = identity;
  const userId = await createMember(db, await createOrganization(db), 'ORG_MEMBER');
  const where = { userId };
  const { hash: tokenHash } = newLinkToken();
  await db.passwordReset.create({ data: { userId, tokenHash, expiresAt: new Date(Date.now() + 30 * aMoment) } });
  await db.passwordAttempt.create({ data: { userId, reason: 'password_changed' } });
  await db.authUser.update({ where: { id: userId }, data: { passwordChangeRequired: true } });

  expect((await confirmWith(30 * aMoment)).error).toBeUndefined();

  const { passwordChangeRequired } = await db.authUser.findUniqueOrThrow({ where: { id: userId } });
  const left = [await db.passwordReset.count({ where }), await db.passwordAttempt.count({ where })];
  expect([...left, passwordChangeRequired]).toEqual([1, 1, true]);
});

describe('somebody who can not log in', () => {
  it('can not choose a new password either, and the link stays', async () => {
    const viewer = { where: { email: 'viewer@acme.test' } };
    await identity.db.authUser.updateMany({ ...viewer, data: { accountState: 'disabled' } });
    expect((await confirmWith(30 * aMoment)).error?.['reason']).toBe('ACCOUNT_DISABLED');
    await identity.db.authUser.updateMany({ ...viewer, data: { accountState: 'active' } });
    expect(await identity.db.passwordReset.findFirst()).toMatchObject({ usedAt: null });
  });
});
