import { createGrownDatabase, idInRow, idOf, type GrownDatabase } from '@foyer/prisma/testing/grown-database';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { readerOf } from '../testing/reader.ts';
import { listMembers } from './list-members.ts';

let database: GrownDatabase;

beforeAll(async () => {
  database = await createGrownDatabase({
    'tenancy.organizations': { id: idInRow('o'), name: 'n', updated_at: 'now()' },
    'tenancy.organization_members': {
      organization_id: idInRow('o', 20),
      user_id: idInRow('u'),
      role: `'ORG_MEMBER'`,
      role_id: `'ORG_MEMBER'`,
    },
  });
}, 60_000);
afterAll(() => database.drop());

it('the people of an organization are read in the order of an index', async () => {
  const organizationId = idOf('o7');
  expect(await database.planOf((db, page) => listMembers(readerOf(db, { organizationId }), page))).toEqual([
    'organization_members_pkey',
    'organizations_pkey',
  ]);
});
