import { createHash, randomUUID } from 'node:crypto';

import { demo } from '@foyer/shared/demo';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { password, startTestIdentity, type TestIdentity } from './testing/test-identity.ts';

let identity: TestIdentity;

beforeAll(async () => {
  identity = await startTestIdentity();
}, 120_000);

afterAll(() => identity.stop());

const sha256 = (text: string) => createHash('sha256').update(text).digest();
const hex = (text: string) => Buffer.from(text).toString('hex');
const orgId = demo.acme.organizationId;

const newUser = (changes: object = {}) =>
  identity.db.authUser.create({
    data: { idpUserId: randomUUID(), orgId, username: 'twin', email: 'twin@acme.test', ...changes },
  });

/** Every row of every table, as text. */
async function everything(): Promise<string> {
  const tables = await identity.db.$queryRaw<{ name: string }[]>`
    SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
    WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`;
  const texts: string[] = [];
  for (const { name } of tables)
    for (const { row } of await identity.db.$queryRawUnsafe<{ row: string }[]>(`SELECT t::text AS row FROM ${name} t`))
      texts.push(row);
  return texts.join('\n');
}

describe('the identity provider is the only place where passwords live', () => {
  it('no table holds a password, a hash of one, or a token that somebody could use', async () => {
    const { accessToken, refreshToken } = await identity.loggedIn('member@acme.test', 'ACME');
    await identity.refresh(refreshToken);
    await identity.login('member@acme.test', 'ACME', { password: 'Wrong-password-1' });

    const kept = await everything();

    expect(kept).toContain('member@acme.test'); // so that finding nothing means something
    for (const secret of [password, 'Wrong-password-1', accessToken, refreshToken]) {
      expect(kept).not.toContain(secret);
      expect(kept).not.toContain(hex(secret));
    }
    expect(kept).not.toContain(sha256(password).toString('hex'));
  });
});

describe('the two stores are joined by identifier', () => {
  it('each organization and user of the auth service has its id as primary key in the core service', async () => {
    const organizations = await identity.db.authOrganization.findMany({ where: { status: 'active' } });
    const users = await identity.db.authUser.findMany();
    expect(organizations.length).toBeGreaterThan(1);
    expect(users.length).toBeGreaterThan(1);
    for (const { id } of organizations)
      expect(await identity.db.organization.findUnique({ where: { id } })).not.toBeNull();
    for (const { id, orgId, email } of users)
      expect(await identity.db.user.findUnique({ where: { id } })).toMatchObject({ organizationId: orgId, email });
  });

  it('never by name: a new name in one store changes nothing in the other, and nobody is locked out', async () => {
    const before = await identity.db.organization.findUniqueOrThrow({ where: { id: orgId } });
    await identity.db.authOrganization.update({ where: { id: orgId }, data: { name: 'Renamed' } });

    const { accessToken } = await identity.loggedIn('orgadmin@acme.test', 'ACME');

    expect(decodeJwt(accessToken)['org']).toMatchObject({ org_id: orgId, role: 'ORG_ADMIN' });
    expect(await identity.db.organization.findUniqueOrThrow({ where: { id: orgId } })).toEqual(before);
    await identity.db.authOrganization.update({ where: { id: orgId }, data: { name: before.name } });
  });
});

describe('the records of the auth service', () => {
  it('Organization: a company code is unique, also in another case', async () => {
    for (const companyCode of ['ACME', 'acme'])
      await expect(
        identity.db.authOrganization.create({ data: { name: 'Second', slug: 'second', companyCode } }),
      ).rejects.toThrow();
  });

  it('User: the id at the provider is unique; username and e-mail are not', async () => {
    const one = await newUser();
    const other = await newUser();
    expect([other.username, other.email]).toEqual([one.username, one.email]);
    await expect(newUser({ idpUserId: one.idpUserId })).rejects.toThrow();
    await identity.db.authUser.deleteMany({ where: { username: 'twin' } });
  });

  it('Refresh session: one per live session, with the token hash, the device and the expiry', async () => {
    const { accessToken, refreshToken } = await identity.loggedIn('member@acme.test', 'ACME');
    const session = await identity.db.refreshSession.findUniqueOrThrow({
      where: { tokenHash: new Uint8Array(sha256(refreshToken)) },
    });
    expect(session).toMatchObject({
      id: decodeJwt(accessToken)['sid'],
      userId: decodeJwt(accessToken)['uid'],
      idpSessionId: expect.any(String),
      device: expect.any(String),
      expiresAt: expect.any(Date),
    });

    await identity.refresh(refreshToken);
    expect(await identity.db.refreshSession.count({ where: { id: session.id } })).toBe(1);
  });

  it.each(['magicLink', 'passwordReset'] as const)('%s: one per user', async (record) => {
    const { id: userId } = await newUser();
    const table = identity.db[record] as typeof identity.db.magicLink;
    const add = () =>
      table.create({ data: { userId, tokenHash: new Uint8Array(sha256(randomUUID())), expiresAt: new Date() } });
    await add();
    await expect(add()).rejects.toThrow();
    await identity.db.authUser.delete({ where: { id: userId } });
  });
});

describe('the records of the core service', () => {
  it('organization_members: role and role_id are always equal', async () => {
    const rows = await identity.db.organizationMember.findMany();
    expect(rows.length).toBeGreaterThan(1);
    for (const { role, roleId } of rows) expect(role).toBe(roleId);
    await expect(
      identity.db.organizationMember.updateMany({ where: { organizationId: orgId }, data: { roleId: 'ORG_OWNER' } }),
    ).rejects.toThrow();
  });

  it('organization_members: one role for each person in each organization', async () => {
    const [row] = await identity.db.organizationMember.findMany({ where: { organizationId: orgId }, take: 1 });
    const { userId = '' } = row ?? {};
    const again = { organizationId: orgId, userId, role: 'ORG_OWNER', roleId: 'ORG_OWNER' };
    await expect(identity.db.organizationMember.create({ data: again })).rejects.toThrow('Unique');
  });

  it('workspace_members: one role for each person in each workspace', async () => {
    const [row] = await identity.db.workspaceMember.findMany({ take: 1 });
    const { workspaceId = '', userId = '' } = row ?? {};
    await expect(identity.db.workspaceMember.create({ data: { workspaceId, userId, role: 'VIEWER' } })).rejects.toThrow(
      'Unique',
    );
  });

  it('no seed makes anybody ORG_OWNER', async () => {
    expect(await identity.db.organizationMember.count({ where: { role: 'ORG_OWNER' } })).toBe(0);
  });
});

describe('the claims of an access token', () => {
  const uuid = expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/) as string;

  it('are those of the table, each of its type: no aud, and app_roles never filled', async () => {
    const { accessToken } = await identity.loggedIn('orgadmin@acme.test', 'ACME');
    const claims = decodeJwt(accessToken);
    const user = await identity.db.authUser.findUniqueOrThrow({ where: { id: String(claims['uid']) } });

    expect(claims).toEqual({
      iss: 'foyer-auth',
      sub: user.id,
      uid: user.id,
      zid: user.idpUserId,
      sid: uuid,
      jti: uuid,
      iat: expect.any(Number),
      exp: Number(claims.iat) + 900,
      org: { org_id: orgId, org_slug: 'acme', role: 'ORG_ADMIN' },
    });
  });

  it('sid is stable: the same after a refresh, with another jti; another after another login', async () => {
    const first = await identity.loggedIn('member@acme.test', 'ACME');
    const refreshed = (await identity.refresh(first.refreshToken)).data?.['refresh'] as typeof first;
    const second = await identity.loggedIn('member@acme.test', 'ACME');
    const [one, same, other] = [first, refreshed, second].map(({ accessToken }) => decodeJwt(accessToken));

    expect(same?.['sid']).toBe(one?.['sid']);
    expect(other?.['sid']).not.toBe(one?.['sid']);
    expect(new Set([one?.jti, same?.jti, other?.jti]).size).toBe(3);
    expect(refreshed.refreshToken).not.toBe(first.refreshToken);
  });
});
