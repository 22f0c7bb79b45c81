import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import { Refusal } from '@foyer/shared/errors';
import { LRUCache } from 'lru-cache';

import {
  CUSTOMERS,
  PasswordUnanswered,
  type IdentityProvider,
  type IdpUser,
  type NewIdpUser,
} from '#ports/identity-provider.ts';
import { calls } from './identity-provider/calls.ts';
import { passwordTooLong } from '../passwords/refusals.ts';
import { organizationNameTaken, usernameTaken } from '../tenancy/refusals.ts';
import { NoSuchCall, NotHashed, NotInTime, NotThere } from './identity-provider/errors.ts';
import { recentlyMade } from './identity-provider/recent.ts';
import {
  AddedOrganization,
  AddedUser,
  Complexity,
  CreatedSession,
  CreatedUser,
  Nothing,
  Organizations,
  Users,
} from './identity-provider/replies.ts';
import { openWire, type Wire, type WireSettings } from './identity-provider/wire.ts';

export type { IdentityProvider } from '#ports/identity-provider.ts';

export interface IdentityProviderSettings extends Omit<WireSettings, 'token'> {
  /** The personal access token of our service user. */
  token?: string | undefined;
  /** The file that holds the token when `token` is not given. */
  tokenFile?: string | undefined;
}

const PAGE = 100;
const TOKEN_KEPT_MS = 1_000;
const EQUALS = 'TEXT_QUERY_METHOD_EQUALS';
const EQUALS_ANY_CASE = 'TEXT_QUERY_METHOD_EQUALS_IGNORE_CASE';
const humans = { typeQuery: { type: 'TYPE_HUMAN' } };

/** A Zitadel of version 2.65 or later, by its v2 interfaces. */
export function identityProvider(settings: IdentityProviderSettings): IdentityProvider {
  const probe = { call: calls.passwordRules, body: { ctx: { instance: true } } };
  const wire = openWire({ ...settings, token: tokenReader(settings) }, probe);
  const recent = recentlyMade();

  const searchUsers = async (...wanted: object[]) =>
    (await wire.send(calls.listUsers, { query: { limit: 2 }, queries: [humans, ...wanted] }, Users)).result;

  return {
    async createOrganization(name) {
      const { organizationId } = await wire.send(calls.addOrganization, { name }, AddedOrganization);
      recent.add(organizationId, name);
      return organizationId;
    },
    async createOrganizationWithAdmin(name, admin, id) {
      if (name.toLowerCase() === CUSTOMERS.toLowerCase()) throw organizationNameTaken();
      const human = { username: admin.username, ...humanOf(admin) };
      const added = await wire
        .send(calls.addOrganization, { ...(id && { orgId: id }), name, admins: [{ human }] }, AddedOrganization)
        .catch(refuseLong(admin.password))
        .catch((error: unknown) => whoseNameIsTaken(wire, name, error));
      const [userId = ''] = added.adminIds;
      recent.add(added.organizationId, name, userId, admin.username, admin.email);
      return { organizationId: added.organizationId, userId };
    },
    async findOrganization(by) {
      const query = 'id' in by ? { idQuery: { id: by.id } } : { nameQuery: { name: by.name, method: EQUALS } };
      const [found] = await recent.search(
        'id' in by ? by.id : by.name,
        async () => (await wire.send(calls.listOrganizations, { queries: [query] }, Organizations)).result,
      );
      return found ?? null;
    },
    deleteOrganization: (organizationId) => deleteOrganization(wire, organizationId, settings.log),

    async createUser(user) {
      const id = await createUser(wire, user).catch(refuseLong(user.password));
      recent.add(id, user.username, user.email);
      return id;
    },
    async findUsers(name, organizationId) {
      const among = organizationId ? [{ organizationIdQuery: { organizationId } }] : [];
      const found = await recent.search(name, async () => {
        const byName = await searchUsers(...among, { loginNameQuery: { loginName: name, method: EQUALS_ANY_CASE } });
        return byName.length > 0
          ? byName
          : searchUsers(...among, { emailQuery: { emailAddress: name, method: EQUALS_ANY_CASE } });
      });
      return [...found];
    },
    async findMember(organizationId, userId) {
      const queries = [{ organizationIdQuery: { organizationId } }, { inUserIdsQuery: { userIds: [userId] } }];
      const [found] = await recent.search(
        userId,
        async () => (await wire.send(calls.listUsers, { queries }, Users)).result,
      );
      return found ?? null;
    },
    listUsers: (organizationId) => listUsers(wire, organizationId),
    deleteUser: (userId) => done(wire.send(calls.deleteUser, { userId }, Nothing)),
    setPassword: (userId, password, currentPassword) =>
      setPassword(wire, userId, password, currentPassword).catch(refuseLong(password)),

    openSession: ({ loginName, password, lifetimeSeconds, device }) =>
      wire
        .send(
          calls.createSession,
          {
            checks: { user: { loginName }, password: { password } },
            lifetime: `${lifetimeSeconds}s`,
            userAgent: {
              fingerprintId: fingerprint(device),
              ip: device.address,
              description: device.description.slice(0, 200),
            },
          },
          CreatedSession,
        )
        .catch((error: unknown) => {
          throw error instanceof Refusal && error.cause instanceof NotInTime ? new PasswordUnanswered(error) : error;
        }),
    endSession: (sessionId) => done(wire.send(calls.deleteSession, { sessionId }, Nothing)),
    passwordRules: (orgId) =>
      wire.send(calls.passwordRules, { ctx: orgId ? { orgId } : { instance: true } }, Complexity),
  };
}

/** What bcrypt takes, the provider's default; of a longer password it says only that it failed. */
const MOST_BYTES = 72;

const refuseLong = (password: string) => (error: unknown) => {
  const isLong = Buffer.byteLength(password) > MOST_BYTES;
  const isIt = isLong && error instanceof Refusal && error.cause instanceof NotHashed;
  throw isIt ? passwordTooLong(MOST_BYTES) : error;
};

/** The provider says the same of both names. */
async function whoseNameIsTaken(wire: Wire, name: string, error: unknown): Promise<never> {
  if (!(error instanceof Refusal) || error.reason !== 'ORGANIZATION_NAME_TAKEN') throw error;
  const queries = [{ nameQuery: { name, method: EQUALS_ANY_CASE } }];
  const { result } = await wire.send(calls.listOrganizations, { queries }, Organizations);
  throw result.length > 0 ? error : usernameTaken();
}

const humanOf = (user: Omit<NewIdpUser, 'id' | 'organizationId'>) => ({
  profile: { givenName: user.givenName, familyName: user.familyName },
  // Marked as verified: otherwise the provider mails a code of its own.
  email: { email: user.email, isVerified: true },
  password: { password: user.password, changeRequired: user.changeRequired ?? false },
});

async function createUser(wire: Wire, user: NewIdpUser): Promise<string> {
  const human = humanOf(user);
  const { organizationId, username } = user;
  const named = { ...(user.id && { userId: user.id }), username };
  if (await wire.modern()) return wire.send(calls.createUser, { organizationId, ...named, human }, CreatedUser);
  return wire.send(calls.addHumanUser, { organization: { orgId: organizationId }, ...named, ...human }, AddedUser);
}

async function setPassword(wire: Wire, userId: string, password: string, currentPassword?: string): Promise<void> {
  const proof = currentPassword === undefined ? {} : { currentPassword };
  const wanted = { password, changeRequired: false };
  if (await wire.modern())
    await wire.send(calls.updateUser, { userId, human: { password: { password: wanted, ...proof } } }, Nothing);
  else await wire.send(calls.setPassword, { userId, newPassword: wanted, ...proof }, Nothing);
}

async function* listUsers(wire: Wire, organizationId: string): AsyncGenerator<IdpUser> {
  const queries = [{ organizationIdQuery: { organizationId } }, humans];
  for (let offset = 0; ; offset += PAGE) {
    const query = { offset: String(offset), limit: PAGE, asc: true };
    const body = { query, sortingColumn: 'USER_FIELD_NAME_CREATION_DATE', queries };
    const { result, details } = await wire.send(calls.listUsers, body, Users);
    yield* result;
    if (offset + PAGE >= details.totalResult || result.length === 0) return;
  }
}

/** A server before 4.7 deletes no organizations: there its people are deleted, and it stays, empty. */
async function deleteOrganization(wire: Wire, organizationId: string, log: WireSettings['log']): Promise<void> {
  try {
    await done(wire.send(calls.deleteOrganization, { organizationId }, Nothing));
  } catch (error) {
    if (!(error instanceof Refusal && error.cause instanceof NoSuchCall)) throw error;
    const queries = [{ idQuery: { id: organizationId } }];
    if ((await wire.send(calls.listOrganizations, { queries }, Organizations)).result.length === 0) return;
    const people = await Array.fromAsync(listUsers(wire, organizationId));
    for (const { id } of people) await done(wire.send(calls.deleteUser, { userId: id }, Nothing));
    log.warn({ organizationId }, 'the identity provider is too old to delete an organization: delete it there');
  }
}

/** Deleting something that is already gone succeeds. */
async function done(call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (!(error instanceof Refusal && error.cause instanceof NotThere)) throw error;
  }
}

const fingerprint = ({ address, description }: { address: string; description: string }) =>
  createHash('sha256').update(`${address}\n${description}`).digest('hex').slice(0, 32);

/**
 * Returns a function that answers with the token. A file is read at most once a second, because an operator may replace it;
 * one that can't be read counts as an empty token, and is read again for the next call.
 */
function tokenReader({ token, tokenFile = '', log }: IdentityProviderSettings): () => Promise<string> {
  if (token) return () => Promise.resolve(token);
  const kept = new LRUCache<string, string>({
    max: 1,
    ttl: TOKEN_KEPT_MS,
    fetchMethod: async (path) => {
      try {
        return (await readFile(path, 'utf8')).trim();
      } catch (error) {
        log.error({ code: (error as NodeJS.ErrnoException).code }, 'IDP_PAT_FILE can not be read');
        return undefined;
      }
    },
  });
  return async () => (await kept.fetch(tokenFile)) ?? '';
}
