import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openDatabase, type PrismaClient } from '@foyer/prisma/client';
import { startEmbeddedPostgres } from '@foyer/prisma/embedded';
import {
  buildSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputType,
} from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { permissionCatalog, publicSdl, rootFields, type RootField } from '../support/access-rules.ts';
import { closeHouse, openHouse, type House } from '../support/house.ts';
import { INTERNAL_PSK, openOffice, type Office, type SignedIn } from '../support/office.ts';
import { graphql, send } from '../support/people.ts';

type Role = (typeof permissionCatalog.roles)[number];
type Scope = Role['scope'];

const scopeOf: Partial<Record<string, Scope>> = {
  PLATFORM: 'platform',
  ORGANIZATION: 'organization',
  WORKSPACE: 'workspace',
};
const inCatalog = (scope: Scope, permission = '') =>
  permissionCatalog.catalog[scope].some(({ key }) => key === permission);

describe('every root field of every subgraph', () => {
  it('says who may call it', () => {
    expect(rootFields.length).toBeGreaterThan(100);
    expect(rootFields.filter(({ access }) => !access).map(({ subgraph, name }) => `${subgraph}: ${name}`)).toEqual([]);
  });

  it('names a permission of the catalog where a permission decides, and nowhere else', () => {
    const wrong = rootFields.filter(({ access }) => {
      const scope = scopeOf[access?.to ?? ''];
      const known = scope ? inCatalog(scope, access?.permission) : access?.permission === undefined;
      const also = access?.orInOrganization;
      return !known || (also !== undefined && !(scope === 'workspace' && inCatalog('organization', also)));
    });
    expect(wrong.map(({ subgraph, name, access }) => ({ subgraph, name, access }))).toEqual([]);
  });
});

/** Identity's fields that a permission decides, and those that nobody reaches with a token. */
const decided = rootFields.filter(
  ({ subgraph, access, type }) =>
    subgraph === 'identity' && type !== 'Subscription' && (scopeOf[access?.to ?? ''] || access?.to === 'INTERNAL'),
);

/** What the matrix says, with the literal roles that pass everything in a workspace. */
function mayCall({ access }: RootField, role: Role): boolean {
  const holds = (permission = '') => role.permissions.includes(permission);
  if (access?.to === 'WORKSPACE' && role.scope === 'organization')
    return role.workspaceBypass === true || holds(access.orInOrganization);
  return role.scope === scopeOf[access?.to ?? ''] && holds(access?.permission);
}

describe('role × field', () => {
  let folder: string;
  let postgres: Awaited<ReturnType<typeof startEmbeddedPostgres>>;
  let db: PrismaClient;
  let house: House;
  let office: Office;
  let walker: SignedIn;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'foyer-matrix-'));
    postgres = await startEmbeddedPostgres(join(folder, 'postgres'), { durable: false });
    db = openDatabase(postgres.url);
    house = await openHouse({ LOGIN_FLOOR_MS: '50', INTERNAL_PSK, DATABASE_URL: postgres.url });
    office = await openOffice(house);
    walker = await office.join('walker');
  }, 120_000);

  afterAll(async () => {
    await closeHouse(house);
    await db.$disconnect();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** Whoever may delete it has done so. */
  async function restoreWorkspace() {
    const workspace = { id: office.workspaceId, organizationId: office.id, name: 'Default' };
    await db.workspace.createMany({ data: workspace, skipDuplicates: true });
  }

  /** The walker with this one role, freshly signed in. */
  async function walkAs({ id, scope }: Role): Promise<SignedIn> {
    const userId = walker.id;
    const role = scope === 'organization' ? id : 'ORG_MEMBER';
    await db.organizationMember.updateMany({ where: { userId }, data: { role, roleId: role } });
    await db.platformMember.deleteMany({ where: { userId } });
    await restoreWorkspace();
    await db.workspaceMember.deleteMany({ where: { userId } });
    if (scope === 'platform') await db.platformMember.create({ data: { userId, roleId: id } });
    if (scope === 'workspace')
      await db.workspaceMember.create({ data: { userId, workspaceId: office.workspaceId, role: id } });
    return office.again('walker');
  }

  const call = async (field: RootField, headers: Record<string, string>) => {
    await restoreWorkspace();
    const { errors } = await graphql(house, documentFor(field, office), {}, headers);
    return (errors as { extensions: { code: string } }[] | undefined)?.[0]?.extensions.code ?? 'done';
  };

  it('knows the fields', () => {
    expect(decided.length).toBeGreaterThan(30);
  });

  it.each(permissionCatalog.roles)(
    'lets $id call what the matrix grants it, and nothing else',
    async (role) => {
      const { headers } = await walkAs(role);
      for (const field of decided) {
        const code = await call(field, headers);
        const let_in = code !== 'FORBIDDEN';
        expect([field.name, code, let_in]).toEqual([field.name, code, mayCall(field, role)]);
        expect([field.name, code]).not.toEqual([field.name, 'INTERNAL_SERVER_ERROR']);
      }
    },
    60_000,
  );

  it.each(permissionCatalog.roles)('tells $id by /me just what is enforced', async (role) => {
    const { headers } = await walkAs(role);
    const { json } = await send(house, 'GET', '/api/v1/identity/users/me', { headers });
    const { scope, permissions, workspaceBypass } = role;

    expect(json.platform_role).toBe(scope === 'platform' ? role.id : null);
    expect(json.org.role).toBe(scope === 'organization' ? role.id : 'ORG_MEMBER');
    expect(json.org.permissions).toEqual(scope === 'organization' ? permissions : []);
    const everything = permissionCatalog.catalog.workspace.map(({ key }) => key);
    const inWorkspace = workspaceBypass ? everything : permissions;
    const here = (json.org.workspaces as { id: string; permissions: string[] }[]).filter(
      ({ id }) => id === office.workspaceId,
    );
    expect(here.map((workspace) => workspace.permissions)).toEqual(
      scope === 'workspace' || workspaceBypass ? [inWorkspace] : [],
    );
  });

  it('lets nobody in without a token', async () => {
    const guarded = rootFields.filter(({ type, access }) => type !== 'Subscription' && access?.to !== 'EVERYONE');
    expect(guarded.length).toBeGreaterThan(decided.length);
    for (const field of guarded) expect([field.name, await call(field, {})]).not.toEqual([field.name, 'done']);
    for (const field of guarded.filter(({ subgraph }) => subgraph === 'identity'))
      expect([field.name, await call(field, {})]).toEqual([field.name, 'UNAUTHENTICATED']);
  });
});

const schema = buildSchema(publicSdl());

/** A call of a field with arguments that are well formed, and lead to nothing but the container. */
function documentFor({ type, name }: RootField, office: Office): string {
  const roots = { Query: schema.getQueryType(), Mutation: schema.getMutationType(), Subscription: null };
  const field = roots[type]?.getFields()[name];
  if (!field) throw new Error(`the public schema has no ${name}`);
  const given = argumentsFor(field.args, office);
  const selection = isLeafType(getNamedType(field.type)) ? '' : '{ __typename }';
  return `${type.toLowerCase()} { ${name}${given && `(${given})`} ${selection} }`;
}

const argumentsFor = (wanted: readonly (GraphQLArgument | GraphQLInputField)[], office: Office): string =>
  wanted
    .filter(({ type, name }) => isNonNullType(type) || name === 'organizationId' || name === 'workspaceId')
    .map(({ name, type }) => `${name}: ${valueFor(name, type, office)}`)
    .join(', ');

function valueFor(name: string, type: GraphQLInputType, office: Office): string {
  if (isNonNullType(type)) return valueFor(name, type.ofType, office);
  if (isListType(type)) return '[]';
  if (isInputObjectType(type)) return `{ ${argumentsFor(Object.values(type.getFields()), office)} }`;
  if (isEnumType(type)) return type.getValues()[0]?.name ?? '';
  if (name === 'organizationId') return JSON.stringify(office.id);
  if (name === 'workspaceId') return JSON.stringify(office.workspaceId);
  const made: Record<string, string> = { ID: JSON.stringify(randomUUID()), Int: '1', Float: '1', Boolean: 'true' };
  return made[type.name] ?? '"made-up"';
}
