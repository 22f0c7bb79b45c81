import { demo } from '@foyer/shared/demo';
import type { Viewer } from '@foyer/shared/auth/viewer';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import type { Context } from '../context.ts';
import { password, startTestIdentity, type TestIdentity } from '../testing/test-identity.ts';
import { reconcile } from './reconcile.ts';

let identity: TestIdentity;

beforeAll(async () => {
  identity = await startTestIdentity();
});
afterAll(() => identity.stop());

/** The newest line of the audit log, which only grows. */
let newest: bigint;

beforeEach(async () => {
  await run(false); // undoes the previous test
  newest = (await identity.db.auditEntry.findFirst({ orderBy: { id: 'desc' } }))?.id ?? 0n;
});

function run(dryRun: boolean, viewer: Viewer = { kind: 'service' }) {
  const scope = {
    requestId: 'the request',
    viewer,
    client: { address: '192.0.2.7', userAgent: 'a service' },
    signal: new AbortController().signal,
    reply: { cookies: [] },
  };
  return reconcile(identity.subgraph.contextFor(scope) as Context, { dryRun });
}

const account = (email: string) => identity.db.authUser.findFirstOrThrow({ where: { email } });
const audited = () =>
  identity.db.auditEntry.findMany({
    where: { id: { gt: newest }, reason: 'reconcile' },
    orderBy: { targetId: 'asc' },
  });

async function disable(...emails: string[]) {
  await identity.db.authUser.updateMany({ where: { email: { in: emails } }, data: { accountState: 'disabled' } });
  const accounts = await Promise.all(emails.map(account));
  return accounts.toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

describe('a person who is disabled here and known to the identity provider', () => {
  it('is active again, with one line each in the audit log', async () => {
    const disabled = await disable('member@acme.test', 'viewer@acme.test');

    const { activated } = await run(false);

    expect(activated.map(({ userId, was }) => ({ userId, was }))).toEqual(
      expect.arrayContaining(disabled.map(({ id }) => ({ userId: id, was: 'disabled' }))),
    );
    expect(activated).toHaveLength(2);
    expect((await account('member@acme.test')).accountState).toBe('active');
    expect((await identity.login('viewer@acme.test', 'ACME')).data).not.toBeNull();
    expect(await audited()).toMatchObject(
      disabled.map(({ id }) => ({
        organizationId: demo.acme.organizationId,
        actorId: null,
        action: 'user.activated',
        targetKind: 'user',
        targetId: id,
        outcome: 'done',
        address: '192.0.2.7',
        requestId: 'the request',
        details: { was: 'disabled' },
      })),
    );
  });

  it('is listed by a dry run, which changes and records nothing', async () => {
    const [disabled] = await disable('member@acme.test');

    const report = await run(true);

    expect(report).toMatchObject({ dryRun: true, created: [], updated: [], elsewhere: [], missing: [] });
    expect(report.activated).toEqual([
      {
        idpUserId: disabled?.idpUserId,
        userId: disabled?.id,
        organizationId: demo.acme.organizationId,
        email: 'member@acme.test',
        was: 'disabled',
      },
    ]);
    expect(await account('member@acme.test')).toEqual(disabled);
    expect(await audited()).toEqual([]);
  });
});

describe('somebody whose address has changed at the identity provider', () => {
  it('gets the new address here, in both stores, and keeps the role', async () => {
    const { id } = await account('orgadmin@acme.test');
    await identity.db.authUser.update({ where: { id }, data: { email: 'old@acme.test' } });
    await identity.db.user.update({ where: { id }, data: { email: 'old@acme.test' } });

    expect((await run(true)).updated).toMatchObject([{ userId: id, email: 'orgadmin@acme.test', was: 'active' }]);
    expect((await account('old@acme.test')).id).toBe(id);
    expect((await run(false)).updated).toHaveLength(1);

    expect((await account('orgadmin@acme.test')).id).toBe(id);
    const here = await identity.db.user.findUniqueOrThrow({ where: { id }, include: { memberships: true } });
    expect(here).toMatchObject({ email: 'orgadmin@acme.test', memberships: [{ roleId: 'ORG_ADMIN' }] });
    expect(await audited()).toMatchObject([{ action: 'user.updated', targetId: id }]);
  });
});

describe('somebody who belongs to another organization here than at the identity provider', () => {
  it('is reported as elsewhere and stays unchanged, also when disabled', async () => {
    const { id } = await account('viewer@acme.test');
    const data = { orgId: demo.platform.organizationId, accountState: 'disabled' } as const;
    const moved = await identity.db.authUser.update({ where: { id }, data });

    const { elsewhere, activated } = await run(false);

    expect(elsewhere).toMatchObject([{ userId: id, organizationId: demo.acme.organizationId, was: 'disabled' }]);
    expect(activated).toEqual([]);
    expect(await account('viewer@acme.test')).toEqual(moved);
    expect(await audited()).toEqual([]);
    await identity.db.authUser.update({ where: { id }, data: { orgId: demo.acme.organizationId } });
  });
});

describe('somebody who was removed a moment ago, and whom the identity provider still lists', () => {
  it('is not recorded again', async () => {
    const { idpOrgId } = await identity.db.authOrganization.findUniqueOrThrow({
      where: { id: demo.acme.organizationId },
    });
    const email = 'gone@acme.test';
    const names = { username: email, email, givenName: 'Mei', familyName: 'Lim' };
    const idpId = await identity.provider.createUser({ ...names, organizationId: idpOrgId ?? '', password });
    await identity.db.providerRemoval.create({ data: { idpId } });

    expect((await run(false)).created).toEqual([]);
    expect(await identity.db.authUser.count({ where: { idpUserId: idpId } })).toBe(0);
    await identity.provider.deleteUser(idpId);
  });
});

it('is for services alone', async () => {
  await expect(run(true, { kind: 'legacy-client', permissions: [] })).rejects.toMatchObject({ code: 'FORBIDDEN' });
});
