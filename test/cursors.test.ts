import { demo } from '@foyer/shared/demo';
import { cursorOf } from '@foyer/shared/pagination';
import { buildSchema, isNonNullType } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';

import { graphql, logIn } from './support/fixtures/people.ts';
import { sharedServer, type SharedServer } from './support/servers/shared-server.ts';
import { publicSdl } from './support/tables/access-rules.ts';

let server: SharedServer;
let headers: Record<'administrator' | 'platform', Record<string, string>>;
let roleId: string;

beforeAll(async () => {
  server = await sharedServer();
  const [administrator, platform] = [
    await logIn(server, 'orgadmin@acme.test', 'ACME'),
    await logIn(server, 'admin@foyer.test', 'PLATFORM'),
  ];
  headers = { administrator: administrator.headers, platform: platform.headers };
  const { data } = await graphql(server, '{ roles(first: 1) { edges { node { id } } } }', {}, headers.administrator);
  roleId = data.roles.edges[0].node.id;
});

const lists = Object.values(buildSchema(publicSdl()).getQueryType()?.getFields() ?? {}).filter(({ args }) =>
  args.some(({ name }) => name === 'after'),
);

const { organizationId, workspaceId, teamId } = demo.acme;
/** What the lists need besides. */
const known = (name: string) =>
  ({ organizationId, workspaceId, teamId, roleId, state: 'SENT' })[name] ?? expect.fail(`name a value for ${name}`);

const unknown = [
  'junk',
  cursorOf(),
  cursorOf('NEWEST', 'a', 'b'),
  cursorOf('0000-01-01T00:00:00.000Z', 1), // years that databases don't have
  cursorOf('-000001-01-01T00:00:00.000Z', organizationId),
  cursorOf('2026-01-01T00:00:00.000Z', '-1'),
  cursorOf('1e99', 1),
];

describe('a cursor that is none of its list is refused', () => {
  it.each(lists)('$name', async ({ name, args }) => {
    const needed = args.filter(({ type }) => isNonNullType(type));
    const variables = Object.fromEntries(needed.map((arg) => [arg.name, known(arg.name)]));
    const declared = needed.map((arg) => `, $${arg.name}: ${String(arg.type)}`).join('');
    const given = needed.map((arg) => `, ${arg.name}: $${arg.name}`).join('');
    const query = `query ($after: String${declared}) { ${name}(after: $after${given}) { pageInfo { hasNextPage } } }`;
    const reader = headers[name === 'organizations' ? 'platform' : 'administrator'];
    const asked = (after: string | null) => graphql(server, query, { after, ...variables }, reader);

    expect((await asked(null)).errors).toBeUndefined();
    for (const after of unknown) {
      const [error] = (await asked(after)).errors ?? [];
      expect([after, error?.extensions.reason]).toEqual([after, 'VALIDATION_FAILED']);
    }
  });
});
