import { demo } from '@foyer/shared/demo';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startObstructedIdentity, type ObstructedIdentity } from '../testing/obstructed-identity.ts';
import { password } from '../testing/test-identity.ts';

const { organizationId } = demo.acme;

let own: ObstructedIdentity;
let identity: ObstructedIdentity['identity'];
let provider: ObstructedIdentity['provider'];
/** The token of an administrator of Acme. */
let token: string;
/** That of the platform's owner. */
let ownerToken: string;

beforeAll(async () => {
  own = await startObstructedIdentity();
  ({ identity, provider } = own);
  token = (await identity.loggedIn('orgadmin@acme.test', 'ACME')).accessToken;
  ownerToken = (await identity.loggedIn('admin@foyer.test', 'PLATFORM')).accessToken;
});

afterAll(() => own?.stop());

const INVITE = `mutation ($id: ID!, $input: InviteUserInput!) { inviteUser(organizationId: $id, input: $input) { id } }`;
const CREATE = `mutation ($input: CreateMemberInput!) { createMember(input: $input) { id } }`;
const CREATE_ORGANIZATION = `mutation ($input: CreateOrganizationInput!) { createOrganization(input: $input) { organization { id } } }`;

const named = (name: string) => ({
  username: name,
  email: `${name}@acme.test`,
  givenName: 'Mei',
  familyName: 'Lim',
});
const through = () => ({ instance: own.instance });
const invite = (name: string) =>
  identity.ask(INVITE, { id: organizationId, input: named(name) }, { token, ...through() });
const create = (name: string) =>
  identity.ask(
    CREATE,
    { input: { organizationId, password, ...named(name) } },
    { viewer: { kind: 'service' }, ...through() },
  );
const createOrganization = (name: string) => {
  const admin = { username: `admin-${name}`, email: `admin@${name}.test`, password };
  const input = { name, companyCode: name, hostingType: 'CLOUD', appIds: ['bizconsole'], admin };
  return identity.ask(CREATE_ORGANIZATION, { input }, { token: ownerToken, ...through() });
};
const discard = () => identity.work('identity.discard-creation');
const reasonOf = async (answer: ReturnType<typeof invite>) => (await answer).error?.['reason'] ?? 'done';

/** The people and organizations of this name that are recorded here. */
async function recordedAs(name: string) {
  const people = await identity.db.authUser.findMany({
    where: { username: { contains: name } },
    select: { idpUserId: true, org: { select: { idpOrgId: true } } },
  });
  const organizations = await identity.db.authOrganization.findMany({ where: { name } });
  return {
    idpIds: [...people.map((row) => row.idpUserId), ...organizations.map((row) => row.idpOrgId ?? '')],
    atProvider: () =>
      Promise.all([
        ...people.map(({ idpUserId, org }) => identity.provider.findMember(org.idpOrgId ?? '', idpUserId)),
        ...organizations.map(({ idpOrgId }) => identity.provider.findOrganization({ id: idpOrgId ?? '' })),
      ]),
  };
}

const attempts = {
  'a person who is invited': { call: 'CreateUser', attempt: invite },
  'a person whom a service creates': { call: 'CreateUser', attempt: create },
  'an organization': { call: 'AddOrganization', attempt: createOrganization },
};

describe.each(Object.entries(attempts))('%s', (what, { call, attempt }) => {
  const name = (suffix: string) => `${what.split(' ').at(-1)}-${suffix}`;

  it('can be created again when the provider had created it and its answer was lost', async () => {
    const creating = provider.hold(call);
    const first = attempt(name('lost'));
    await creating.done;
    creating.cut();
    expect(await reasonOf(first)).toBe('IDENTITY_PROVIDER_DOWN');

    await discard();
    expect(await reasonOf(attempt(name('lost')))).toBe('done');
  });

  it('is not taken away from an attempt that is recorded, nor from another that has recorded it', async () => {
    expect(await reasonOf(attempt(name('kept')))).toBe('done');
    const { idpIds, atProvider } = await recordedAs(name('kept'));
    // As an attempt does that could not reach the provider since.
    await identity.db.providerRemoval.createMany({ data: idpIds.map((idpId) => ({ idpId })) });

    await discard();

    expect(await atProvider()).toEqual(idpIds.map((id) => expect.objectContaining({ id })));
    expect(await reasonOf(attempt(name('kept')))).toMatch(/TAKEN$/);
  });

  it('is recorded by one of two attempts at the same time', async () => {
    const creating = provider.hold(call);
    const first = attempt(name('twice'));
    await creating.done;
    expect(await reasonOf(attempt(name('twice')))).toMatch(/TAKEN$/);
    creating.release();
    expect(await reasonOf(first)).toBe('done');
  });

  it('is not recorded once it was given up, and can be created again', async () => {
    const creating = provider.hold(call);
    const first = attempt(name('late'));
    await creating.done;
    await discard();
    creating.release();
    expect(await reasonOf(first)).toBe('BUSY');
    expect(await reasonOf(attempt(name('late')))).toBe('done');
  });
});
