import { createGrownDatabase, idInRow, idOf, type GrownDatabase } from '@foyer/prisma/testing/grown-database';
import { readId } from '@foyer/shared/ids';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { readerOf } from '../testing/reader.ts';
import { findTicketGroups } from './find-ticket-groups.ts';
import { listManagedTicketGroups } from './list-managed-ticket-groups.ts';

type List = Parameters<GrownDatabase['planOf']>[0];

let database: GrownDatabase;

beforeAll(async () => {
  database = await createGrownDatabase({
    'ticketing.ticket_group': {
      ticket_group_id: 'n',
      organization_id: idInRow('o', 20),
      workspace_id: idInRow('w', 40),
      slug: 'n',
      group_name_bm: `''`,
      group_name_en: `''`,
      group_name_cn: `''`,
      placement: 'n % 977',
      is_active: 'n % 10 > 0',
      daily_capacity: '1',
      updated_at: 'now()',
    },
    'ticketing.ticket_group_tag': {
      ticket_group_id: 'n',
      tag: `CASE WHEN n / 20 % 200 = 1 THEN 'rare' WHEN n % 200 = 7 THEN 'own' ELSE 'family' END`,
      organization_id: idInRow('o', 20),
      placement: 'n % 977',
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
])('the ticket groups %s are read in the order of an index', async (_which, indexes, list) => {
  expect(await database.planOf(list)).toEqual(indexes);
});

describe('ticket groups with a tag', () => {
  const ofAll = 'ticket_group_tag_tag_placement_ticket_group_id_idx';
  const ofOne = 'ticket_group_tag_organization_id_tag_placement_ticket_group_idx';
  const keys = new Set(['ticket_group_pkey', 'ticket_group_ticket_group_id_organization_id_key']); // equally good

  async function planOf(tag: string, organization?: string): Promise<string[]> {
    const filter = { tag, ...(organization && { organizationId: readId(idOf(organization)) }) };
    const plan = await database.planOf((db, page) => findTicketGroups({ db }, { filter, ...page }));
    expect(plan.some((index) => keys.has(index))).toBe(true);
    return plan.filter((index) => !keys.has(index));
  }

  it.each(['rare', 'family'])('are read in the order of its index, whether few or most have it: %s', async (tag) => {
    expect(await planOf(tag)).toEqual([ofAll]);
    expect(await planOf(tag, 'o1')).toEqual([ofOne]);
  });

  it('are not sorted, either, when only one organization has it', async () => {
    expect([[ofAll], [ofOne]]).toContainEqual(await planOf('own', 'o7'));
  });
});
