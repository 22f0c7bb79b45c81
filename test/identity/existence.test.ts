import { randomUUID } from 'node:crypto';

import { routes } from '@foyer/rest-compat/routes';
import { beforeAll, describe, expect, it } from 'vitest';

import { rootFields } from '../support/tables/access-rules.ts';
import { exampleCall, publicField } from '../support/tables/example-calls.ts';
import { createOrganization, type OrganizationFixture } from '../support/fixtures/organization.ts';
import { graphql, send } from '../support/fixtures/people.ts';
import { sharedServer, type SharedServer } from '../support/servers/shared-server.ts';

/** The kinds of records that a route or a field names by id. */
type Kind = 'organization' | 'user' | 'workspace' | 'team' | 'role' | 'profile' | 'session';
type Ids = Record<Kind, string>;

let server: SharedServer;
let own: OrganizationFixture;
let foreign: Ids;

beforeAll(async () => {
  server = await sharedServer();
  own = await createOrganization(server);
  foreign = await idsOf(await createOrganization(server));
});

/** One of each kind, of an organization to which the caller does not belong. */
async function idsOf(fixture: OrganizationFixture): Promise<Ids> {
  const made = async (path: string, body: object) => {
    const { status, json } = await fixture.ask(fixture.admin, 'POST', path, body);
    expect(status).toBe(201);
    return String(json.data.id);
  };
  const sessions = await send(server, 'GET', '/api/v1/sessions', { headers: fixture.admin.headers });
  return {
    organization: fixture.id,
    user: fixture.admin.id,
    workspace: fixture.workspaceId,
    team: await made('/teams', { name: 'Theirs' }),
    role: await made('/roles', { name: 'Theirs', scope: 'workspace', permissions: [] }),
    profile: await made('/email-profiles', { name: 'Theirs', from_name: 'T', from_address: 't@theirs.test' }),
    session: String((sessions.json.sessions ?? sessions.json.data)[0].id),
  };
}

const unknown = (): Ids => ({
  organization: randomUUID(),
  user: randomUUID(),
  workspace: randomUUID(),
  team: randomUUID(),
  role: randomUUID(),
  profile: randomUUID(),
  session: randomUUID(),
});

/** An answer without the ids that were sent. */
function without(ids: Ids, answer: unknown): string {
  const text = JSON.stringify(answer).replaceAll(/"requestId":"[^"]*"/g, '');
  return Object.entries(ids).reduce((left, [kind, id]) => left.replaceAll(id, kind), text);
}

const params: Record<string, Kind> = {
  orgId: 'organization',
  uid: 'user',
  userId: 'user',
  wid: 'workspace',
  workspaceId: 'workspace',
  tid: 'team',
  teamId: 'team',
  roleId: 'role',
  profileId: 'profile',
};

/** A body for every route, which ignores unknown fields. */
const bodyWith = ({ user, workspace, role, profile }: Ids, path: string) => ({
  user_id: user,
  workspace_id: workspace,
  profile_id: profile,
  role: path.includes('/teams/') && path.includes('/members') ? 'lead' : role,
  status: 'disabled',
  name: `Mine ${randomUUID()}`,
  scope: 'workspace',
  app_ids: [],
  permissions: [],
  from_name: 'M',
  from_address: 'm@mine.test',
  username: 'm@mine.test',
  email: 'm@mine.test',
  given_name: 'M',
  family_name: 'M',
});

interface Route {
  method: string;
  path: string;
  kinds: Kind[];
}

/** The tenancy and session routes that name something by its id. */
const walked: Route[] = routes
  .map(({ method, url }) => ({ method: String(method), path: url, kinds: kindsIn(url) }))
  .filter(({ path, kinds }) => kinds.length > 0 && /\/organizations\/|\/workspaces\/|\/sessions\//.test(path))
  .filter(({ path }) => !path.includes('/internal/'));

function kindsIn(path: string): Kind[] {
  return [...path.matchAll(/:(\w+)/g)].flatMap(([, name = '']) => kindOf(path, name) ?? []);
}

function kindOf(path: string, name: string): Kind | undefined {
  if (name === 'id') return path.includes('/sessions/') ? 'session' : path.includes('/roles/') ? 'role' : undefined;
  return params[name];
}

/** Calls a route with these ids. */
async function askRoute({ method, path }: Route, ids: Ids) {
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const kind = kindOf(path, name);
    return kind ? ids[kind] : 'user_invite';
  });
  const body = method === 'GET' || method === 'DELETE' ? {} : { body: bodyWith(ids, path) };
  const { status, json } = await send(server, method, filled, { headers: own.admin.headers, ...body });
  return { status, answer: without(ids, json ?? null) };
}

describe('a record of another organization is answered like one that does not exist', () => {
  it('by every route that names it, in the path or in the body', async () => {
    const differing: string[] = [];
    for (const route of walked)
      for (const mine of [{}, { organization: own.id }]) {
        if ('organization' in mine && !route.kinds.includes('organization')) continue;
        // Without a foreign id it is an ordinary call.
        if ('organization' in mine && route.kinds.length === 1) continue;
        const [theirs, nobodys] = [
          await askRoute(route, { ...foreign, ...mine }),
          await askRoute(route, { ...unknown(), ...mine }),
        ];
        const line = `${route.method} ${route.path}${'organization' in mine ? ' of my own' : ''}`;
        if (theirs.status !== nobodys.status || theirs.answer !== nobodys.answer)
          differing.push(`${line}: ${theirs.status} ${theirs.answer} or ${nobodys.status} ${nobodys.answer}`);
        if (theirs.status < 400 || theirs.status === 500) differing.push(`${line}: ${theirs.status} ${theirs.answer}`);
      }
    expect(differing).toEqual([]);
    expect(walked.length).toBeGreaterThan(40);
  });

  it('by every field of GraphQL that names it', async () => {
    const differing: string[] = [];
    const fields = rootFields.filter(
      ({ subgraph, type, access, name }) =>
        subgraph === 'identity' &&
        type !== 'Subscription' &&
        access &&
        access.to !== 'INTERNAL' &&
        !name.startsWith('log'),
    );
    const named = fields.filter((field) => publicField(field).args.some(({ name }) => /id|input/i.test(name)));
    for (const field of named)
      for (const mine of [{}, { organization: own.id }]) {
        const ask = async (ids: Ids) => {
          const { query, variables } = exampleCall(field, knownBy({ ...ids, ...mine }, field.name));
          const { data, errors } = await graphql(server, query, variables, own.admin.headers);
          return without(ids, { data, errors: (errors as { extensions: object }[] | undefined)?.map(whatIsSaid) });
        };
        const [theirs, nobodys] = [await ask(foreign), await ask(unknown())];
        if (theirs !== nobodys) differing.push(`${field.name}: ${theirs} or ${nobodys}`);
      }
    expect(differing).toEqual([]);
    expect(named.length).toBeGreaterThan(30);
  });
});

const whatIsSaid = ({ extensions, message }: { extensions: object; message?: string }) => {
  const { requestId: _, ...said } = extensions as { requestId?: string };
  return { message, ...said };
};

/** The ids, by the names that arguments have; fields that would end the caller's own sessions get made-up ones. */
function knownBy(ids: Ids, field: string): Record<string, unknown> {
  const byId: Record<string, string> = { organization: ids.organization, user: ids.user, workspace: ids.workspace };
  return {
    organizationId: ids.organization,
    userId: ids.user,
    workspaceId: ids.workspace,
    teamId: ids.team,
    roleId: ids.role,
    profileId: ids.profile,
    sessionId: ids.session,
    role: ids.role,
    id: byId[field] ?? (field.includes('ession') ? ids.session : ids.organization),
    name: `Mine ${randomUUID()}`,
    scope: 'WORKSPACE',
    email: 'm@mine.test',
    fromAddress: 'm@mine.test',
    permissions: [],
    appIds: [],
  };
}
