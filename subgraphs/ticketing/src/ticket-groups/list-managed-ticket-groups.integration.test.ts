import { createGrownDatabase, idInRow, idOf, type GrownDatabase } from '@foyer/prisma/testing/grown-database';
import { readId } from '@foyer/shared/ids';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { readerOf } from '../testing/reader.ts';
import { findTicketGroups } from './find-ticket-groups.ts';
import { listManagedTicketGroups } from './list-managed-ticket-groups.ts';

type List = Parameters<GrownDatabase['planOf']>[0];

let database: GrownDatabase;

beforeAll(async () => {
  database = await createGrownDatabase({
    'ticketing.ticket_group': {
      organization_id: idInRow('o', 20),
      workspace_id: idInRow('w', 40),
      slug: 'n',
      group_name_bm: `''`,
      group_name_en: `''`,
      group_name_cn: `''`,
      tags: `ARRAY[CASE n % 1000 WHEN 1 THEN 'rare' ELSE 'family' END]`,
      placement: 'n % 977',
      is_active: 'n % 10 > 0',
      daily_capacity: '1',
      updated_at: 'now()',
    },
  });
}, 60_000);
afterAll(() => database.drop());

it.each<[string, string[], List]>([
  ['on offer', ['ticket_group_is_active_placement_ticket_group_id_idx'], (db, page) => findTicketGroups({ db }, page)],
  [
    'on offer of an organization',
    ['ticket_group_organization_id_is_active_placement_ticket_gro_idx'],
    (db, page) => findTicketGroups({ db }, { filter: { organizationId: readId(idOf('o7')) }, ...page }),
  ],
  [
    'of a workspace',
    ['ticket_group_workspace_id_placement_ticket_group_id_idx'],
    (db, page) => listManagedTicketGroups(readerOf(db), { workspaceId: readId(idOf('w7')), ...page }),
  ],
  [
    'with a tag that most have',
    ['ticket_group_is_active_placement_ticket_group_id_idx'],
    (db, page) => findTicketGroups({ db }, { filter: { tag: 'family' }, ...page }),
  ],
])('the ticket groups %s are read in the order of an index', async (_which, indexes, list) => {
  expect(await database.planOf(list)).toEqual(indexes);
});

it('the ticket groups with a tag that few have are found by the tag', async () => {
  expect(await database.planOf((db, page) => findTicketGroups({ db }, { filter: { tag: 'rare' }, ...page }))).toEqual([
    'ticket_group_tags_idx',
  ]);
});
