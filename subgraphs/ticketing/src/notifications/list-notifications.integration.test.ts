import { createGrownDatabase, idInRow, idOf, type GrownDatabase } from '@foyer/prisma/testing/grown-database';
import { readId } from '@foyer/shared/ids';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { readerOf } from '../testing/reader.ts';
import { listNotifications, listWorkspaceNotifications } from './list-notifications.ts';

type List = Parameters<GrownDatabase['planOf']>[0];

let database: GrownDatabase;

beforeAll(async () => {
  database = await createGrownDatabase({
    'ticketing.notification': {
      position: 'n',
      organization_id: idInRow('o', 20),
      workspace_id: idInRow('w', 40),
      performed_by: `'staff'`,
      authority_level: `'ADMIN'`,
      type: `'Order'`,
      title: `''`,
      message: `''`,
      date: `'01-01-2026 00:00:00'`,
      updated_at: 'now()',
    },
  });
}, 60_000);
afterAll(() => database.drop());

it.each<[string, string[], List]>([
  ['a member of staff', ['notification_listed_idx'], (db, page) => listNotifications(readerOf(db), page)],
  [
    'a workspace',
    ['notification_listed_idx'],
    (db, page) => listWorkspaceNotifications(readerOf(db), readId(idOf('w7')), page),
  ],
])('the notifications of %s are read in the order of an index', async (_which, indexes, list) => {
  expect(await database.planOf(list)).toEqual(indexes);
});
