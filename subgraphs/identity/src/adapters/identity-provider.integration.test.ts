import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { fromJson, type DescMessage, type JsonValue } from '@bufbuild/protobuf';
import { newId } from '@foyer/shared/ids';
import { openLog } from '@foyer/shared/telemetry/log';
import { OrganizationService } from '@zitadel/proto/zitadel/org/v2/org_service_pb.js';
import { SessionService } from '@zitadel/proto/zitadel/session/v2/session_service_pb.js';
import { SettingsService } from '@zitadel/proto/zitadel/settings/v2/settings_service_pb.js';
import { UserService } from '@zitadel/proto/zitadel/user/v2/user_service_pb.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startRecordingProxy, type RecordingProxy } from '../testing/recording-proxy.ts';
import { startIdentityProvider, type EmbeddedIdentityProvider } from '../simulators/identity-provider.ts';
import type { IdentityProvider } from '#ports/identity-provider.ts';
import { identityProvider } from './identity-provider.ts';
import type { Call } from './identity-provider/calls.ts';

const password = 'Foyer-demo-1';
const device = { address: '192.0.2.1', description: 'a browser' };
const services = [UserService, OrganizationService, SessionService, SettingsService];

function descriptorOf({ service, method }: Call) {
  const found = services.find(({ typeName }) => typeName === service)?.methods.find(({ name }) => name === method);
  if (!found) throw new Error(`no descriptor for ${method}`);
  return found;
}

/** The fields of a message that its descriptor does not know; null for none. */
function misfit(message: DescMessage, value: JsonValue): string | null {
  try {
    fromJson(message, value, { ignoreUnknownFields: false });
    return null;
  } catch (error) {
    return String(error);
  }
}

describe.each([
  { wire: 'connect', version: 'v4' },
  { wire: 'auto', version: 'v4' },
  { wire: 'rest', version: 'v4' },
  { wire: 'auto', version: 'v2' },
] as const)('the identity provider of version $version, called over $wire', ({ wire, version }) => {
  let folder: string;
  let provider: EmbeddedIdentityProvider;
  let line: RecordingProxy;
  let adapter: IdentityProvider;
  let organizationId: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'foyer-provider-'));
    const platform = { name: 'Foyer', admin: { username: 'admin@foyer.test', password } };
    provider = await startIdentityProvider({ folder, platform, version });
    line = await startRecordingProxy(provider.url);
    adapter = identityProvider({
      url: line.url,
      tokenFile: provider.tokenFile,
      wire,
      timeoutMs: 15_000,
      log: openLog('silent'),
    });
    organizationId = await adapter.createOrganization('Acme');
  });

  afterAll(async () => {
    await line.stop();
    await provider.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const someone = (username: string) => ({
    organizationId,
    username,
    email: username,
    givenName: 'Some',
    familyName: 'One',
    password,
  });
  const open = (loginName: string, secret = password) =>
    adapter.openSession({ loginName, password: secret, lifetimeSeconds: 600, device });

  it('creates a person who can log in, and is found in any case', async () => {
    const id = await adapter.createUser({ ...someone('Mei@acme.test'), changeRequired: true });

    const [found, another] = await adapter.findUsers('mei@ACME.test');

    expect(another).toBeUndefined();
    expect(found).toEqual({
      id,
      organizationId,
      username: 'Mei@acme.test',
      loginName: 'Mei@acme.test',
      email: 'Mei@acme.test',
      givenName: 'Some',
      familyName: 'One',
      passwordChangeRequired: true,
    });
    await adapter.endSession(await open('mei@acme.test'));
    await adapter.endSession('300000000000000000');
  });

  it('answers a wrong password and an unknown person alike', async () => {
    const [{ loginName } = { loginName: '' }] = await adapter.findUsers('admin@foyer.test');

    await expect(open(loginName, 'Wrong-password-1')).rejects.toMatchObject({ reason: 'INVALID_CREDENTIALS' });
    await expect(open('nobody@acme.test')).rejects.toMatchObject({ reason: 'INVALID_CREDENTIALS' });
    await expect(adapter.findUsers('nobody@acme.test')).resolves.toEqual([]);
  });

  it('finds several people with one address', async () => {
    for (const username of ['one', 'two'])
      await adapter.createUser({ ...someone(username), email: 'shared@acme.test' });
    await expect(adapter.findUsers('shared@acme.test')).resolves.toHaveLength(2);
  });

  it('accepts a name once, and refuses a simple password', async () => {
    await adapter.createUser(someone('taken'));

    await expect(adapter.createUser(someone('TAKEN'))).rejects.toMatchObject({
      code: 'CONFLICT',
      reason: 'USERNAME_TAKEN',
    });
    await expect(adapter.createOrganization('acme')).rejects.toMatchObject({ reason: 'ORGANIZATION_NAME_TAKEN' });
    await expect(adapter.createUser({ ...someone('simple'), password: 'password' })).rejects.toMatchObject({
      reason: 'PASSWORD_TOO_SIMPLE',
      message: 'The password needs an upper-case letter.',
    });
  });

  it('says that a password is too long, which the provider calls an error of its own', async () => {
    const longest = `Aa1-${'x'.repeat(68)}`;
    const password = `${longest}x`;
    const tooLong = { code: 'BAD_USER_INPUT', reason: 'PASSWORD_TOO_LONG' };
    const id = await adapter.createUser({ ...someone('long'), password: longest });
    await expect(adapter.setPassword(id, password)).rejects.toMatchObject(tooLong);
    await expect(adapter.setPassword(id, password, longest)).rejects.toMatchObject(tooLong);
    await expect(adapter.createUser({ ...someone('longer'), password })).rejects.toMatchObject(tooLong);
    const admin = { ...someone('long-boss'), password };
    await expect(adapter.createOrganizationWithAdmin('Long', admin)).rejects.toMatchObject(tooLong);
  });

  it('creates an organization with its administrator, or neither', async () => {
    const { organizationId: _, ...admin } = someone('boss@fresh.test');
    const made = await adapter.createOrganizationWithAdmin('Fresh', { ...admin, changeRequired: true });

    await expect(adapter.findMember(made.organizationId, made.userId)).resolves.toMatchObject({
      id: made.userId,
      username: 'boss@fresh.test',
      passwordChangeRequired: true,
    });
    const again = (name: string, changes: object) =>
      adapter.createOrganizationWithAdmin(name, { ...admin, ...changes });
    await expect(again('FRESH', { username: 'other@fresh.test' })).rejects.toMatchObject({
      reason: 'ORGANIZATION_NAME_TAKEN',
    });
    await expect(again('Fresher', {})).rejects.toMatchObject({ reason: 'USERNAME_TAKEN' });
    await expect(again('Fresher', { username: 'other@fresh.test', password: 'password' })).rejects.toMatchObject({
      reason: 'PASSWORD_TOO_SIMPLE',
    });
    await expect(adapter.findOrganization({ name: 'Fresher' })).resolves.toBeNull();
  });

  it('creates people and organizations under an id of our choice', async () => {
    const [id, chosen] = [newId(), newId()];
    const person = { ...someone('chosen@acme.test'), id };
    expect(await adapter.createUser(person)).toBe(id);
    expect(await adapter.findMember(organizationId, id)).toMatchObject({ id, username: 'chosen@acme.test' });
    await adapter.deleteUser(id);
    await adapter.deleteUser(id); // a person who is gone may be deleted again
    expect(await adapter.createUser({ ...person, id: newId() })).not.toBe(id);

    const admin = { ...someone('chosen-admin@acme.test') };
    const made = await adapter.createOrganizationWithAdmin('Chosen', admin, chosen);
    expect(made.organizationId).toBe(chosen);
    expect(await adapter.findOrganization({ id: chosen })).toMatchObject({ name: 'Chosen' });
  });

  it('lets nobody have an organization with the name of the one in which customers are', async () => {
    const admin = someone('not-the-shop@acme.test');
    await expect(adapter.createOrganizationWithAdmin('Foyer CUSTOMERS', admin)).rejects.toMatchObject({
      reason: 'ORGANIZATION_NAME_TAKEN',
    });
    expect(await adapter.findUsers('not-the-shop@acme.test')).toEqual([]);
  });

  it('changes a password, with the current one or as an administrator', async () => {
    const id = await adapter.createUser(someone('changer'));

    await expect(adapter.setPassword(id, 'Another-one-2', 'Wrong-password-1')).rejects.toMatchObject({
      reason: 'INVALID_CREDENTIALS',
    });
    await expect(adapter.setPassword(id, password, password)).rejects.toMatchObject({ reason: 'PASSWORD_UNCHANGED' });
    await adapter.setPassword(id, 'Another-one-2', password);
    await expect(open('changer')).rejects.toMatchObject({ reason: 'INVALID_CREDENTIALS' });
    await adapter.setPassword(id, 'And-a-third-3');
    await expect(open('changer', 'And-a-third-3')).resolves.toMatch(/^\d{18}$/);
  });

  it('lists an organization page by page, and knows who belongs to it', async () => {
    const people = await Array.fromAsync(adapter.listUsers(organizationId));
    const [first] = people;

    expect(people.length).toBeGreaterThan(3);
    expect(first && (await adapter.findMember(organizationId, first.id))).toEqual(first);
    const [admin] = await adapter.findUsers('admin@foyer.test');
    expect(await adapter.findMember(organizationId, admin?.id ?? '')).toBeNull();
  });

  it('deletes a person once and for all', async () => {
    const id = await adapter.createUser(someone('leaver'));
    await adapter.deleteUser(id);
    await adapter.deleteUser(id);
    await expect(adapter.findUsers('leaver')).resolves.toEqual([]);
  });

  it('lists its password rules and its organizations', async () => {
    const rules = { minLength: 8, uppercase: true, lowercase: true, number: true, symbol: true };
    await expect(adapter.passwordRules()).resolves.toEqual(rules);
    await expect(adapter.passwordRules(organizationId)).resolves.toEqual(rules);
    await expect(adapter.findOrganization({ name: 'Acme' })).resolves.toEqual({
      id: organizationId,
      name: 'Acme',
      active: true,
    });
    await expect(adapter.findOrganization({ id: organizationId })).resolves.toMatchObject({ name: 'Acme' });
    await expect(adapter.findOrganization({ name: 'Nowhere' })).resolves.toBeNull();
  });

  it('has received and sent only fields of the official descriptors', () => {
    expect(line.calls.length).toBeGreaterThan(20);
    const misheard = line.calls.flatMap(({ call, request, status, answer }) => {
      const { input, output } = descriptorOf(call);
      return [misfit(input, request), status === 200 ? misfit(output, answer) : null].filter((what) => what !== null);
    });
    expect(misheard).toEqual([]);
  });

  it('keeps everybody through a restart, and its token readable by the owner only', async () => {
    await provider.stop();
    const platform = { name: 'Foyer', admin: { username: 'admin@foyer.test', password } };
    const again = await startIdentityProvider({ folder, platform, version });
    const token = await readFile(again.tokenFile, 'utf8');
    const direct = identityProvider({ url: again.url, token, wire, timeoutMs: 15_000, log: openLog('silent') });

    await expect(direct.findUsers('taken')).resolves.toHaveLength(1);
    expect((await stat(again.tokenFile)).mode & 0o777).toBe(0o600);
    const stranger = identityProvider({
      url: again.url,
      token: 'wrong',
      wire,
      timeoutMs: 15_000,
      log: openLog('silent'),
    });
    await expect(stranger.findUsers('taken')).rejects.toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
      reason: 'IDENTITY_PROVIDER_DOWN',
    });
    await again.stop();
  });
});
