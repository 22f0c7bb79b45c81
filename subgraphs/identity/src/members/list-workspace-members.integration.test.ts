import { createGrownDatabase, idInRow, idOf, type GrownDatabase } from '@foyer/prisma/testing/grown-database';
import { readId } from '@foyer/shared/ids';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { readerOf } from '../testing/reader.ts';
import { listWorkspaceMembers } from './list-workspace-members.ts';

let database: GrownDatabase;

beforeAll(async () => {
  database = await createGrownDatabase({
    'tenancy.workspaces': { id: idInRow('w'), organization_id: idInRow('o', 20), name: 'n', updated_at: 'now()' },
    'tenancy.workspace_members': { workspace_id: idInRow('w', 20), user_id: idInRow('u'), role: `'VIEWER'` },
  });
}, 60_000);
afterAll(() => database.drop());

it('the people of a workspace are read in the order of an index', async () => {
  const list = { workspaceId: readId(idOf('w7')) };
  expect(
    await database.planOf((db, page) =>
      listWorkspaceMembers(readerOf(db, { organizationId: idOf('o7') }), { ...list, ...page }),
    ),
  ).toEqual(['workspace_members_pkey', 'workspaces_pkey']);
});
