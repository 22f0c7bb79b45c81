import { createGrownDatabase, idInRow, idOf, type GrownDatabase } from '@foyer/prisma/testing/grown-database';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { readerOf } from '../testing/reader.ts';
import { pageWorkspaces } from './page-workspaces.ts';

let database: GrownDatabase;

beforeAll(async () => {
  database = await createGrownDatabase({
    'tenancy.organizations': { id: idInRow('o'), name: 'n', updated_at: 'now()' },
    'tenancy.workspaces': { id: idInRow('w'), organization_id: idInRow('o', 20), name: 'n', updated_at: 'now()' },
  });
}, 60_000);
afterAll(() => database.drop());

it('the workspaces of an organization are read in the order of an index', async () => {
  const organizationId = idOf('o7');
  expect(await database.planOf((db, page) => pageWorkspaces(readerOf(db, { organizationId }), page))).toEqual([
    'organizations_pkey',
    'workspaces_organization_id_id_idx',
  ]);
});
