import { demo } from '@foyer/shared/demo';
import { newId } from '@foyer/shared/ids';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { password, startTestIdentity, type TestIdentity, type Tokens } from '../testing/test-identity.ts';

const { organizationId } = demo.acme;

let identity: TestIdentity;
let admin: Tokens;
let owner: Tokens;
/** The person who is changed, logged in. */
let member: Tokens;

beforeAll(async () => {
  identity = await startTestIdentity();
  admin = await identity.loggedIn('orgadmin@acme.test', 'ACME');
  owner = await identity.loggedIn('admin@foyer.test', 'PLATFORM');
  member = await identity.loggedIn('member@acme.test', 'ACME');
});
afterAll(() => identity.stop());

const idOf = ({ accessToken }: Tokens) => String(decodeJwt(accessToken)['uid']);

/** Executes a mutation and returns its only line in the audit log. */
async function lineOf(actor: Tokens, document: string, input: Record<string, unknown>) {
  const { _max: before } = await identity.db.auditEntry.aggregate({ _max: { id: true } });
  const answer = await identity.ask(document, { input: { organizationId, ...input } }, { token: actor.accessToken });
  expect(answer.error).toBeUndefined();
  const lines = await identity.db.auditEntry.findMany({ where: { id: { gt: before.id ?? 0n } } });
  expect(lines).toHaveLength(1);
  return lines[0];
}

const done = { organizationId, outcome: 'done', address: '192.0.2.1', requestId: 'test' };
const toTheMember = () => ({ ...done, actorId: idOf(admin), targetKind: 'user', targetId: idOf(member) });
const setRole = 'mutation ($input: SetMemberRoleInput!) { setMemberRole(input: $input) { role } }';
const setStatus = 'mutation ($input: SetMemberStatusInput!) { setMemberStatus(input: $input) { role } }';
const upsertUser = 'mutation ($input: UpsertUserInput!) { upsertUser(input: $input) { id } }';
const upsertOrganization = 'mutation ($input: UpsertOrganizationInput!) { upsertOrganization(input: $input) { id } }';
const remove = 'mutation ($input: RemoveMemberInput!) { removeMember(input: $input) }';
const setStanding = 'mutation ($input: SetOrganizationStatusInput!) { setOrganizationStatus(input: $input) { id } }';

describe('the audit log says who did what to whom', () => {
  it('when a role changes: from which to which', async () => {
    const line = await lineOf(admin, setRole, { userId: idOf(member), role: 'ORG_MANAGER' });
    const details = { from: 'ORG_MEMBER', to: 'ORG_MANAGER' };
    expect(line).toMatchObject({ ...toTheMember(), action: 'user.role-changed', details });
  });

  it('when a member is disabled, and enabled again', async () => {
    const off = await lineOf(admin, setStatus, { userId: idOf(member), status: 'DISABLED' });
    expect(off).toMatchObject({ ...toTheMember(), action: 'user.disabled' });
    const on = await lineOf(admin, setStatus, { userId: idOf(member), status: 'ACTIVE' });
    expect(on).toMatchObject({ ...toTheMember(), action: 'user.enabled' });
  });

  it('when a member is removed: the line outlives them', async () => {
    const line = await lineOf(admin, remove, { userId: idOf(member) });
    expect(line).toMatchObject({ ...toTheMember(), action: 'user.removed' });
    expect(await identity.db.authUser.findUnique({ where: { id: idOf(member) } })).toBeNull();
  });

  it('when a service records a person or an organization, or changes what is recorded; not when it changes nothing', async () => {
    const id = newId();
    const service = { viewer: { kind: 'service' } } as const;
    const person = { id: newId(), organizationId: id, email: 'mei@elsewhere.test', username: 'mei' };
    const calls = [
      [upsertUser, person],
      [upsertUser, person],
      [upsertUser, { ...person, email: 'lim@elsewhere.test' }],
      [upsertOrganization, { id, name: 'Elsewhere' }],
      [upsertOrganization, { id, name: 'Elsewhere' }],
      [upsertOrganization, { id, name: 'Elsewhere', status: 'DISABLED' }],
    ] as const;
    for (const [document, input] of calls)
      expect((await identity.ask(document, { input }, service)).error).toBeUndefined();

    const lines = await identity.db.auditEntry.findMany({ where: { organizationId: id }, orderBy: { id: 'asc' } });
    expect(lines).toMatchObject([
      { action: 'user.recorded', targetKind: 'user', targetId: person.id, actorId: null },
      { action: 'user.record-changed', details: { fields: ['email'] } },
      { action: 'organization.recorded', targetKind: 'organization', targetId: id },
      { action: 'organization.record-changed', details: { from: 'active', to: 'disabled' } },
    ]);
  });

  it('when an organization is disabled, enabled again, and deleted: the line outlives it', async () => {
    const expected = { ...done, actorId: idOf(owner), targetKind: 'organization', targetId: organizationId };
    const off = await lineOf(owner, setStanding, { status: 'DISABLED' });
    expect(off).toMatchObject({ ...expected, action: 'organization.disabled' });
    const on = await lineOf(owner, setStanding, { status: 'ACTIVE' });
    expect(on).toMatchObject({ ...expected, action: 'organization.activated' });

    const { error } = await identity.ask(
      'mutation ($id: ID!) { deleteOrganization(id: $id) }',
      { id: organizationId },
      { token: owner.accessToken },
    );
    expect(error).toBeUndefined();
    const lines = await identity.db.auditEntry.findMany({ where: { action: 'organization.deleted' } });
    expect(lines).toMatchObject([expected]);
    expect(await identity.db.authOrganization.findUnique({ where: { id: organizationId } })).toBeNull();
  });

  it('and never a token or a password, in any line', async () => {
    const log = await identity.db.$queryRaw<{ line: string }[]>`SELECT l::text AS line FROM auth.audit_log l`;
    expect(log.length).toBeGreaterThan(6);
    const text = log.map(({ line }) => line).join('\n');
    const secrets = [admin, owner, member].flatMap(({ accessToken, refreshToken }) => [accessToken, refreshToken]);
    for (const secret of [password, ...secrets, ...secrets.map((token) => token.split('.')[2] ?? token)])
      expect(text.includes(secret)).toBe(false);
    expect(text).not.toMatch(/eyJ|password/i);
  });

  it('for good: the database itself refuses to change, delete or empty it', async () => {
    const { id } = await identity.db.auditEntry.findFirstOrThrow();
    await expect(identity.db.auditEntry.update({ where: { id }, data: { action: 'nothing' } })).rejects.toThrow(
      /append-only/,
    );
    await expect(identity.db.auditEntry.deleteMany({ where: { id } })).rejects.toThrow(/append-only/);
    await expect(identity.db.$executeRaw`TRUNCATE auth.audit_log`).rejects.toThrow(/append-only/);
  });
});
