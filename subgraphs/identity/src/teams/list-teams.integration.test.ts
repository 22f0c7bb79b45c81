import { createGrownDatabase, idInRow, idOf, type GrownDatabase } from '@foyer/prisma/testing/grown-database';
import { readId } from '@foyer/shared/ids';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { readerOf } from '../testing/reader.ts';
import { listTeamMembers, listTeams } from './list-teams.ts';

let database: GrownDatabase;

beforeAll(async () => {
  database = await createGrownDatabase({
    'tenancy.organizations': { id: idInRow('o'), name: 'n', updated_at: 'now()' },
    'tenancy.teams': { id: idInRow('t'), organization_id: idInRow('o', 20), name: 'n', updated_at: 'now()' },
    'tenancy.team_members': { team_id: idInRow('t', 20), user_id: idInRow('u') },
  });
}, 60_000);
afterAll(() => database.drop());

it('the teams of an organization, and the people of one, are read in the order of an index', async () => {
  const reader = { organizationId: idOf('o7') };
  expect(await database.planOf((db, page) => listTeams(readerOf(db, reader), page))).toEqual([
    'organizations_pkey',
    'teams_organization_id_id_idx',
  ]);
  const team = { teamId: readId(idOf('t7')) };
  expect(await database.planOf((db, page) => listTeamMembers(readerOf(db, reader), { ...team, ...page }))).toEqual([
    'organizations_pkey',
    'team_members_pkey',
    'teams_organization_id_id_idx',
  ]);
});
