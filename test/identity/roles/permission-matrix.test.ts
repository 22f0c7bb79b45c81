import { openDatabase, type PrismaClient } from '@foyer/prisma/client';
import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';

import { permissionCatalog, rootFields, type RootField } from '../../support/tables/access-rules.ts';
import {
  needAnOrder,
  ruleInSdl,
  ruleOf,
  showEachTheirOwn,
  tellNobodyWhatExists,
  tellOfAnOrganization,
} from '../../support/tables/access-table.ts';
import { errorsOf, exampleCall } from '../../support/tables/example-calls.ts';
import { sharedServer, type SharedServer } from '../../support/servers/shared-server.ts';
import { legacyToken } from '../../support/fixtures/legacy-tokens.ts';
import { createOrganization, type OrganizationFixture } from '../../support/fixtures/organization.ts';
import { graphql, send, logInCustomer } from '../../support/fixtures/people.ts';
import { furnish, type FurnishedOrganization } from '../../support/fixtures/furnished-organization.ts';

type Role = (typeof permissionCatalog.roles)[number];
type Who = 'nobody' | 'customer' | 'legacy' | Role;

const scopeOf: Partial<Record<string, Role['scope']>> = {
  PLATFORM: 'platform',
  ORGANIZATION: 'organization',
  WORKSPACE: 'workspace',
  ROLE: 'workspace',
};
const inCatalog = (scope: Role['scope'] | undefined, permission: string) =>
  scope !== undefined && permissionCatalog.catalog[scope].some(({ key }) => key === permission);

describe('every root field of every subgraph', () => {
  it('has the audience of the table of requirements', () => {
    const said = Object.fromEntries(rootFields.map((field) => [field.name, ruleInSdl(field)]));
    expect(said).toEqual(Object.fromEntries(ruleOf));
  });

  it('names a permission of the catalog where a permission decides', () => {
    const wrong = [...ruleOf].filter(([, rule]) => {
      const [audience = '', permission, also] = rule.split(' ');
      const scope = scopeOf[audience];
      if (!scope || !permission) return scope !== undefined || permission !== undefined;
      return !inCatalog(scope, permission) || (also !== undefined && !inCatalog('organization', also));
    });
    expect(wrong).toEqual([]);
  });
});

/** Whether the table and the matrix allow a role to call a field for its own workspace or organization, or a foreign one. */
function mayCall({ name }: RootField, who: Who, own: boolean): boolean {
  const [audience = '', permission = '', also = ''] = (ruleOf.get(name) ?? '').split(' ');
  if (audience === 'EVERYONE') return true;
  if (who === 'nobody') return false;
  if (audience === 'SIGNED_IN') return true;
  if (who === 'customer') return audience === 'CUSTOMER';
  // A legacy token names no organization, and so holds no permission: it passes the role-based routes.
  if (who === 'legacy') return audience === 'ROLE';
  if (audience === 'STAFF') return own || !tellOfAnOrganization.has(name) || who.scope === 'platform';
  if (audience === 'INTERNAL' || audience === 'CUSTOMER') return false;
  return holds(who, { audience, permission, also, own, name });
}

interface Operation {
  audience: string;
  permission: string;
  also: string;
  own: boolean;
  name: string;
}

function holds({ scope, permissions, workspaceBypass }: Role, { audience, permission, also, own, name }: Operation) {
  if (audience === 'ROLE' && showEachTheirOwn.has(name)) return true;
  if (audience === 'ROLE' && scope === 'platform') return permissions.includes('org:manage');
  if (audience === 'PLATFORM') return scope === 'platform' && permissions.includes(permission);
  if (!own) return false;
  if (audience !== 'ORGANIZATION' && scope === 'organization')
    return workspaceBypass === true || permissions.includes(also);
  return scope === scopeOf[audience] && permissions.includes(permission);
}

/** These end the caller's session. */
const endSessions: ReadonlySet<string> = new Set(['logoutEverywhere', 'logoutCustomer']);

/** The fields to call: open ones refuse by their own rules, and a permitted subscriber would wait for events. */
const fieldsFor = (who: Who, own: boolean): readonly RootField[] =>
  rootFields
    .filter(({ name }) => ruleOf.get(name) !== 'EVERYONE')
    .filter((field) => field.type !== 'Subscription' || !mayCall(field, who, own))
    .filter(({ name }) => typeof who === 'string' || !needAnOrder.has(name))
    .filter(({ name }) => !endSessions.has(name) || !own)
    .toSorted((one, other) => whenToAsk(one) - whenToAsk(other));

/** The order of calls: queries, then mutations, then those that end the session. */
const whenToAsk = ({ type, name }: RootField) => (endSessions.has(name) ? 2 : Number(type === 'Mutation'));

function outcomeOf({ name }: RootField, code: string): string {
  if (code === 'UNAUTHENTICATED' || code === 'INTERNAL_SERVER_ERROR') return code;
  if (code === 'FORBIDDEN' || (code === 'NOT_FOUND' && tellNobodyWhatExists.has(name))) return 'refused';
  return 'let in';
}

async function inBatches<Item, Result>(items: readonly Item[], ask: (item: Item) => Promise<Result>) {
  const results: Result[] = [];
  for (let at = 0; at < items.length; at += 10) results.push(...(await Promise.all(items.slice(at, at + 10).map(ask))));
  return results;
}

describe('role × field', () => {
  let db: PrismaClient;
  let server: SharedServer;
  let organization: OrganizationFixture;
  let places: { own: FurnishedOrganization; foreign: FurnishedOrganization };
  /** The person with each role, by its id. */
  const people = new Map<string, string>();

  beforeAll(async () => {
    server = await sharedServer();
    db = openDatabase(server.databaseUrl);
    organization = await createOrganization(server);
    const other = await createOrganization(server);
    places = {
      own: await furnish(db, organization.id, organization.workspaceId),
      foreign: await furnish(db, other.id, other.workspaceId),
    };
    for (const role of permissionCatalog.roles) await employ(role);
  });

  afterAll(async () => {
    await db.$disconnect();
  });

  const nameOf = ({ id }: Role) => id.toLowerCase().replaceAll('_', '-');

  /** Creates a person with this one role. */
  async function employ(role: Role) {
    const { id: userId } = await organization.join(nameOf(role));
    people.set(role.id, userId);
    const held = role.scope === 'organization' ? role.id : 'ORG_MEMBER';
    await db.organizationMember.updateMany({ where: { userId }, data: { role: held, roleId: held } });
    if (role.scope === 'platform') await db.platformMember.create({ data: { userId, roleId: role.id } });
  }

  /** Logs them in; an earlier call may have ended their sessions, or removed the workspace and its members. */
  async function logInAs(role: Role): Promise<Record<string, string>> {
    await places.own.restore();
    const { workspaceId } = organization;
    const place = { workspaceId, userId: people.get(role.id) ?? '', role: role.id };
    if (role.scope === 'workspace') await db.workspaceMember.createMany({ data: place, skipDuplicates: true });
    return (await organization.again(nameOf(role))).headers;
  }

  /** The outcome of a call: its error code, or that it was done. */
  async function codeOf(
    field: RootField,
    place: FurnishedOrganization,
    headers: Record<string, string>,
  ): Promise<string> {
    const { query, variables } = exampleCall(field, place.known);
    if (field.type === 'Subscription') return firstCodeOf(query, variables, headers);
    return errorsOf(await graphql(server, query, variables, headers))[0]?.extensions.code ?? 'done';
  }

  /** The same for a stream that is refused at once; a permitted subscriber would wait for events. */
  async function firstCodeOf(query: string, variables: Record<string, unknown>, connectionParams: object) {
    const client = createClient({
      url: `${server.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      retryAttempts: 0,
      connectionParams: { ...connectionParams },
    });
    const { value } = await client.iterate({ query, variables }).next();
    await client.dispose();
    return String(value?.errors?.[0]?.extensions?.['code'] ?? 'done');
  }

  /** Calls every field with these headers; returns the differences from the table and the matrix. */
  async function walk(who: Who, headers: Record<string, string>) {
    const wrong: string[] = [];
    for (const whose of ['own', 'foreign'] as const) {
      const place = places[whose];
      await place.restore();
      const own = whose === 'own';
      const judge = async (field: RootField) => {
        const code = await codeOf(field, place, headers);
        const refusal = who === 'nobody' ? 'UNAUTHENTICATED' : 'refused';
        const expected = mayCall(field, who, own) ? 'let in' : refusal;
        if (outcomeOf(field, code) !== expected) wrong.push(`${whose} ${field.name}: ${code}, not ${expected}`);
      };
      const walked = fieldsFor(who, own);
      // A caller without the permission changes nothing, so that all calls can be sent at once.
      await inBatches(
        walked.filter((field) => !mayCall(field, who, own)),
        judge,
      );
      const allowed = walked.filter((field) => mayCall(field, who, own));
      // Queries change nothing either.
      await inBatches(
        allowed.filter(({ type }) => type === 'Query'),
        judge,
      );
      for (const field of allowed.filter(({ type }) => type === 'Mutation')) {
        await place.restore();
        await judge(field);
      }
    }
    return wrong;
  }

  it('refuses everybody without a token, before anything else', async () => {
    expect(await walk('nobody', {})).toEqual([]);
  });

  it('shows customers their own data', async () => {
    expect(await walk('customer', (await logInCustomer(server)).headers)).toEqual([]);
  });

  it.each(['MEMBER', 'ADMIN', 'SYSADMIN'])('admits legacy tokens (%s) where roles decide', async (role) => {
    const authorization = `Bearer ${await legacyToken(server, { role })}`;
    expect(await walk('legacy', { authorization })).toEqual([]);
  });

  describe.each(permissionCatalog.roles)('$id', (role) => {
    let headers: Record<string, string>;
    beforeAll(async () => {
      headers = await logInAs(role);
    });

    it('has the same permissions in /me as in enforcement', async () => {
      const { json } = await send(server, 'GET', '/api/v1/identity/users/me', { headers });
      const { scope, permissions, workspaceBypass } = role;

      expect(json.platform_role).toBe(scope === 'platform' ? role.id : null);
      expect(json.org.role).toBe(scope === 'organization' ? role.id : 'ORG_MEMBER');
      expect(json.org.permissions).toEqual(scope === 'organization' ? permissions : []);
      const everything = permissionCatalog.catalog.workspace.map(({ key }) => key);
      const inWorkspace = workspaceBypass ? everything : permissions;
      const here = (json.org.workspaces as { id: string; permissions: string[] }[]).filter(
        ({ id }) => id === organization.workspaceId,
      );
      expect(here.map((workspace) => workspace.permissions)).toEqual(
        scope === 'workspace' || workspaceBypass ? [inWorkspace] : [],
      );
    });

    it('may call only what the matrix grants, here and elsewhere', async () => {
      expect(await walk(role, headers)).toEqual([]);
    });
  });
});
