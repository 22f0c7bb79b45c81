import { createGrownDatabase, idInRow, idOf, type GrownDatabase } from '@foyer/prisma/testing/grown-database';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { readerOf } from '../testing/reader.ts';
import { listOrganizations } from './list-organizations.ts';

let database: GrownDatabase;

beforeAll(async () => {
  database = await createGrownDatabase({
    'tenancy.organizations': { id: idInRow('o'), name: 'n', updated_at: 'now()' },
  });
}, 60_000);
afterAll(() => database.drop());

it('organizations are read in the order of an index', async () => {
  const reader = { organizationId: idOf('o7') };
  expect(await database.planOf((db, page) => listOrganizations(readerOf(db, reader), page))).toEqual([
    'organizations_pkey',
  ]);
});
