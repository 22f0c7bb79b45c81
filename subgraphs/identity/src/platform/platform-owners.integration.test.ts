import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { demo } from '@foyer/shared/demo';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { startTestIdentity, type TestIdentity } from '../testing/test-identity.ts';
import { addPlatformOwner, listPlatformOwners, removePlatformOwner } from './platform-owners.ts';

let identity: TestIdentity;

beforeAll(async () => {
  identity = await startTestIdentity();
});

beforeEach(async () => {
  await identity.db.authUser.updateMany({ data: { accountState: 'active' } });
});

afterAll(() => identity.stop());

const actor = 'operator';
const acme = demo.acme.organizationId;

/** Creates a person of Acme in both stores. */
async function someone(username: string, email = `${username}@owners.test`) {
  const { id } = await identity.db.authUser.create({ data: { idpUserId: username, orgId: acme, username, email } });
  await identity.db.user.create({ data: { id, organizationId: acme, username, email } });
  return id;
}
const add = (name: string) => addPlatformOwner(identity, { name, companyCode: 'ACME', actor });
const remove = (name: string, companyCode = 'ACME') => removePlatformOwner(identity, { name, companyCode, actor });
const owners = async () => (await listPlatformOwners(identity)).map(({ userId }) => userId);

describe('an operator who names an owner of the platform', () => {
  it('enables a disabled account: an owner who may not log in could recover nothing', async () => {
    const id = await someone('disabled');
    await identity.db.authUser.update({ where: { id }, data: { accountState: 'disabled' } });
    expect(await add('disabled')).toMatchObject({ userId: id, accountState: 'active', changed: true });
    expect(await owners()).toContain(id);
  });

  it('makes an owner of somebody with another role on the platform', async () => {
    const id = await someone('reader');
    await identity.db.platformMember.create({ data: { userId: id, roleId: 'PLATFORM_READONLY' } });
    await add('reader');
    expect(await owners()).toContain(id);
    const [entry] = await identity.db.auditEntry.findMany({ where: { action: 'platform-owner.added', targetId: id } });
    expect(entry).toMatchObject({ actorId: actor, details: { from: 'PLATFORM_READONLY', enabled: false } });
  });

  it('can not use a name that two people have', async () => {
    const id = await someone('siti', 'siti@owners.test');
    await someone('siti@owners.test', 'other@owners.test');
    await expect(add('siti@owners.test')).rejects.toMatchObject({ reason: 'NAME_AMBIGUOUS' });
    await expect(add(id)).resolves.toMatchObject({ userId: id });
  });

  it('can not name people who can not log in yet, nor people of another organization', async () => {
    const id = await someone('invited');
    await identity.db.authUser.update({ where: { id }, data: { accountState: 'invited' } });
    await expect(add('invited')).rejects.toMatchObject({ reason: 'ACCOUNT_INVITED' });
    await expect(add('admin@foyer.test')).rejects.toMatchObject({ reason: 'USER_NOT_FOUND' });
  });
});

describe('an operator who removes an owner', () => {
  it('gets a refusal when the person is not an owner', async () => {
    await someone('nobody');
    await expect(remove('nobody')).rejects.toMatchObject({ reason: 'PLATFORM_OWNER_NOT_FOUND' });
  });

  it('keeps one owner who may log in, also when the last two are removed at once', async () => {
    const other = await someone('another');
    for (let round = 0; round < 5; round++) {
      await identity.db.platformMember.deleteMany({ where: { user: { organizationId: acme } } });
      await add(other);
      await addPlatformOwner(identity, { name: 'admin@foyer.test', companyCode: 'PLATFORM', actor });
      const removed = await Promise.allSettled([remove(other), remove('admin@foyer.test', 'PLATFORM')]);
      const refused = removed.flatMap((one) => (one.status === 'rejected' ? [one.reason as { reason: string }] : []));
      expect(refused.map(({ reason }) => reason)).toEqual(['LAST_PLATFORM_OWNER']);
      expect(await owners()).toHaveLength(1);
    }
  });
});

describe('a database from before the platform recorded that it had an owner', () => {
  const migration = join(
    import.meta.dirname,
    '../../../../prisma/migrations/20261122144500_platform_ownership/migration.sql',
  );
  /** Runs the migration again after this change, and tells whether the platform has had an owner. */
  async function migrated(before: string): Promise<number> {
    const sql = await readFile(migration, 'utf8');
    const rolledBack = await identity.db
      .$transaction(async (tx) => {
        await tx.$executeRawUnsafe('DROP TABLE tenancy.platform_ownership');
        await tx.$executeRawUnsafe('DROP FUNCTION tenancy.note_platform_ownership CASCADE');
        await tx.$executeRawUnsafe('DROP FUNCTION tenancy.keep_platform_ownership CASCADE');
        await tx.$executeRawUnsafe(`DO $do$ BEGIN ${before} EXECUTE $mig$ ${sql} $mig$; END $do$`);
        throw Object.assign(new Error('rolled back'), { facts: await tx.platformOwnership.count() });
      })
      .catch((error: unknown) => error as { facts?: number; message: string });
    if (rolledBack.facts === undefined) throw new Error(rolledBack.message);
    return rolledBack.facts;
  }

  const nobody = 'DELETE FROM tenancy.platform_members;';
  const nothing = `${nobody}
    DELETE FROM tenancy.workspaces WHERE organization_id = '${demo.platform.organizationId}';
    ALTER TABLE auth.audit_log DISABLE TRIGGER audit_log_append_only;
    DELETE FROM auth.audit_log;`;
  it.each([
    ['has had one when somebody has a role on the platform', '', 1],
    ['has had one when nobody has any more', nobody, 1],
    ['has had none when the platform was never begun', nothing, 0],
  ])('%s', async (_what, before, facts) => {
    expect(await migrated(before)).toBe(facts);
  });
});
