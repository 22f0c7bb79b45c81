import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { systemClock } from '@foyer/shared/clock';
import { demo } from '@foyer/shared/demo';
import { newId } from '@foyer/shared/ids';
import { openLog } from '@foyer/shared/telemetry/log';
import type { Events } from '@foyer/shared/events/events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openAuthentication, type Authentication } from '../authentication.ts';
import { createMember, createOrganization } from '../testing/organization-fixture.ts';
import { startTestIdentity, type TestIdentity } from '../testing/test-identity.ts';
import { openKeys } from './keys.ts';
import { openTokens, type TokenHolder } from './tokens.ts';

const pem = () =>
  generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const [ours, theirs, strangers] = [pem(), pem(), pem()];
const silent: Events = { subscribe: () => () => undefined, stop: () => Promise.resolve() };
const { organizationId } = demo.acme;

let identity: TestIdentity;
let service: Server;
let calls = 0;
let here: Authentication;

beforeAll(async () => {
  identity = await startTestIdentity();
  const { jwks } = await openKeys([theirs]);
  service = createServer((request, response) => {
    calls += 1;
    const isKeySet = request.url === '/.well-known/jwks.json';
    response.writeHead(isKeySet ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(jwks));
  }).listen(0, '127.0.0.1');
  await once(service, 'listening');
  here = await openAuthentication({
    config: {
      accessSeconds: 900,
      keys: [ours],
      issuer: 'acme-auth',
      legacyAuthUrl: `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
      legacySecret: undefined,
      enforcePasswordChange: false,
      revocationFail: { reads: 'open', writes: 'closed' },
    },
    db: identity.db,
    clock: systemClock,
    log: openLog('silent'),
    events: silent,
    customerStandingOf: () => Promise.resolve('good'),
  });
});
afterAll(async () => {
  here.stop();
  service.close();
  await identity.stop();
});

/** Creates a member of Acme as the legacy service records one. */
async function aMember(accountState: 'active' | 'disabled' = 'active'): Promise<TokenHolder> {
  const userId = newId();
  await identity.db.user.create({
    data: { id: userId, organizationId, email: `${userId}@acme.test`, username: userId },
  });
  await identity.db.organizationMember.create({
    data: { organizationId, userId, role: 'ORG_MEMBER', roleId: 'ORG_MEMBER' },
  });
  if (accountState === 'disabled')
    await identity.db.authUser.create({
      data: { id: userId, idpUserId: userId, orgId: organizationId, username: userId, email: userId, accountState },
    });
  return holder(userId);
}

const holder = (userId = newId()): TokenHolder => ({
  userId,
  idpUserId: userId,
  sessionId: newId(),
  organization: { id: organizationId, slug: 'acme', role: 'ORG_MEMBER' },
});

/** The user that a token proves; undefined for none. */
async function whoIs(person: TokenHolder, privateKey = theirs, issuer = 'acme-auth') {
  const settings = { refreshSecret: 'none', accessSeconds: 900, refreshSeconds: 900, clock: systemClock };
  const tokens = openTokens({ ...settings, privateKey, issuer });
  const token = await tokens.signAccess(person, Math.floor(Date.now() / 1_000), 900);
  const { viewer } = await here.authenticate({ authorization: `Bearer ${token}` }).catch(() => ({ viewer: null }));
  return viewer?.kind === 'staff' ? viewer.userId : undefined;
}

describe('a token of a legacy auth service', () => {
  it('counts for a member of the organization that it names, and our own still do', async () => {
    const member = await aMember();
    expect(await whoIs(member)).toBe(member.userId);
    expect(await whoIs(member, ours)).toBe(member.userId);
  });

  it('is refused for people who are unknown here, or whose account is disabled', async () => {
    expect(await whoIs(holder())).toBeUndefined();
    expect(await whoIs(await aMember('disabled'))).toBeUndefined();
    const elsewhere = await aMember();
    const other = { ...elsewhere.organization, id: demo.platform.organizationId };
    expect(await whoIs({ ...elsewhere, organization: other })).toBeUndefined();
  });

  it('is refused for members of an organization that is switched off', async () => {
    const id = await createOrganization(identity.db);
    const someone = async () => ({
      ...holder(await createMember(identity.db, id, 'ORG_MEMBER')),
      organization: { id, slug: 'another', role: 'ORG_MEMBER' },
    });
    const [before, after] = [await someone(), await someone()];
    expect(await whoIs(before)).toBe(before.userId);

    await identity.db.organization.update({ where: { id }, data: { status: 'disabled' } });
    expect(await whoIs(after)).toBeUndefined();
  });

  it('must be signed by a key of that service, and name it as its issuer', async () => {
    const member = await aMember();
    expect(await whoIs(member, strangers)).toBeUndefined();
    expect(await whoIs(member, theirs, 'another-auth')).toBeUndefined();
    expect(await whoIs(member, ours, 'another-auth')).toBeUndefined();
  });

  it('causes one request for the key set, however many unknown keys tokens name', async () => {
    const member = await aMember();
    await whoIs(member);
    const before = calls;
    for (const key of [strangers, pem(), pem()]) expect(await whoIs(member, key)).toBeUndefined();
    expect(await whoIs(member)).toBe(member.userId);
    expect(calls).toBe(before);
  });

  it('is revoked by the block time of its bearer', async () => {
    const member = await aMember();
    const later = new Date(Date.now() + 60_000);
    await identity.db.userBlock.create({ data: { userId: member.userId, notBefore: later, expiresAt: later } });
    await expect.poll(() => whoIs(member), { timeout: 20_000 }).toBeUndefined();
  });
});
