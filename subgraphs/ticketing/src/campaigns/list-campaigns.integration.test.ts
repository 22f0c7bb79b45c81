import { createGrownDatabase, idInRow, idOf, type GrownDatabase } from '@foyer/prisma/testing/grown-database';
import { readId } from '@foyer/shared/ids';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { readerOf } from '../testing/reader.ts';
import { listCampaigns, listWorkspaceCampaigns } from './list-campaigns.ts';

type List = Parameters<GrownDatabase['planOf']>[0];

let database: GrownDatabase;

beforeAll(async () => {
  database = await createGrownDatabase({
    'ticketing.campaign': {
      id: idInRow('c'),
      organization_id: idInRow('o', 20),
      workspace_id: idInRow('w', 40),
      name: 'n',
      target_group_id: idInRow('t'),
      start_date: 'now()',
      end_date: 'now()',
      created_at: `now() - n * interval '1 minute'`,
      updated_at: 'now()',
    },
  });
}, 60_000);
afterAll(() => database.drop());

it.each<[string, string[], List]>([
  [
    'an organization',
    ['campaign_organization_id_created_at_id_idx'],
    (db, page) => listCampaigns(readerOf(db), { organizationId: readId(idOf('o7')), ...page }),
  ],
  [
    'a workspace',
    ['campaign_organization_id_workspace_id_created_at_idx'],
    (db, page) => listWorkspaceCampaigns(readerOf(db), readId(idOf('w7')), page),
  ],
])('the campaigns of %s are read in the order of an index', async (_which, indexes, list) => {
  expect(await database.planOf(list)).toEqual(indexes);
});
