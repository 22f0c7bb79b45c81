import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { readId, type GivenId, type Id } from '../ids.ts';
import type { OrganizationPermit, WorkspacePermit } from './permissions.ts';
import { describe, expect, expectTypeOf, it } from 'vitest';

const root = join(import.meta.dirname, '../../../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

/**
 * The files that use an id which a caller has only named, each with its reason: it proves the id, or shows only what the
 * viewer may see.
 * A use case that requires a permission needs no row: it takes the ids from its permit.
 */
const unprovenIn: Record<string, string> = {
  'shared/src/auth/permissions.ts': 'checks the permission there, and makes the permit',
  'identity/src/tenancy/permit-reading.ts': 'makes the permit, for members and the platform',
  'identity/src/workspaces/permit-workspace-change.ts': 'makes the permit',
  'media/src/media/permit-media.ts': 'makes the permit',
  'ticketing/src/access/staff-scope.ts': 'makes the permit, and the condition for lists',

  'identity/src/members/list-workspace-members.ts': 'takes the ids of the row, once the viewer knows the workspace',
  'identity/src/teams/find-team-workspace.ts': 'takes the ids of the row, which belongs to a team of the permit',
  'identity/src/teams/grant-team-workspace.ts':
    'takes the id of the row, which belongs to the organization of the permit',
  'identity/src/teams/set-team-workspace-role.ts': 'names it in the audit log',
  'identity/src/teams/revoke-team-workspace.ts': 'names it in the audit log',
  'identity/src/workspaces/delete-workspace.ts': 'deletes it only in the organization of the permit',
  'ticketing/src/campaigns/create-campaign.ts': 'checks whether it is a UUID, for the message',
  'ticketing/src/campaigns/find-managed-campaign.ts': 'checks whether the viewer may change the row that it finds',
  'ticketing/src/advertising-tickets/create-advertising-ticket.ts': 'checks the permission there, or the role',

  'identity/src/users/read-me-as-named.ts': 'compares it with what the viewer holds, and shows only the viewer',

  'identity/src/internal/create-member.ts': 'is for services, which reach every organization',
  'identity/src/internal/find-role.ts': 'is for services, which reach every organization',
  'identity/src/internal/list-accounts.ts': 'is for services, which reach every organization',
  'identity/src/internal/upsert-user.ts': 'is for services, which reach every organization',

  'ticketing/src/advertising-tickets/list-advertising-tickets.ts': 'lists what everybody sees',
  'ticketing/src/rail-menus/list-rail-menus.ts': 'lists what everybody sees',
  'ticketing/src/ticket-groups/find-ticket-groups.ts': 'lists what everybody sees',
};

/** The files that make permits. */
const provenIn = Object.keys(unprovenIn).slice(0, 5);

const sources = globSync('*/src/**/*.ts', { cwd: join(root, 'subgraphs') }).filter(
  (file) => !file.endsWith('.test.ts') && file !== 'shared/src/ids.ts',
);
const callersOf = (name: string) =>
  sources.filter((file) => new RegExp(`\\b${name}\\(`).test(read(`subgraphs/${file}`))).toSorted();

describe('the organization and the workspace that a caller names', () => {
  it('are not ids: no row and no function takes them as one', () => {
    expectTypeOf<GivenId>().not.toExtend<string>();
    expectTypeOf<GivenId>().not.toExtend<Id>();
    expectTypeOf<Id>().toExtend<GivenId>();
  });

  it.each(['identity', 'ticketing', 'media'])('are what every argument of %s of these names is', (subgraph) => {
    const named = read(`subgraphs/${subgraph}/src/generated/graphql.ts`).matchAll(
      /^ {2}(?:organizationId|workspaceId)\??: (.*);$/gm,
    );
    const types = [...named].map(([, type = '']) => type).filter((type) => !/Resolver<|\['output'\]/.test(type));
    expect(types.length).toBeGreaterThan(5);
    expect(new Set(types).difference(new Set(['GivenId', 'InputMaybe<GivenId>']))).toEqual(new Set());
  });

  it('are taken without a permit only where this table says why', () => {
    expect(callersOf('unproven')).toEqual(Object.keys(unprovenIn).toSorted());
  });
});

describe('a permit', () => {
  it('can not be written by hand', () => {
    const organizationId = readId('0a0c0000-0000-4000-8000-000000000001');
    // @ts-expect-error: it has not been proven
    const organization: OrganizationPermit = { organizationId };
    // @ts-expect-error: it has not been proven
    const workspace: WorkspacePermit = { organizationId, workspaceId: organizationId };
    expect([organization, workspace]).toHaveLength(2);
  });

  it('is made only by a function that has checked the permission', () => {
    expect(callersOf('prove')).toEqual(provenIn.toSorted());
  });
});
