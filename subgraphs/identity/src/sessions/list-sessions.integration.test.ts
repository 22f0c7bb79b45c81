import { createGrownDatabase, idInRow, idOf, type GrownDatabase } from '@foyer/prisma/testing/grown-database';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { readerOf } from '../testing/reader.ts';
import { listSessions } from './list-sessions.ts';

let database: GrownDatabase;

beforeAll(async () => {
  database = await createGrownDatabase({
    'auth.refresh_sessions': {
      id: idInRow('s'),
      user_id: idInRow('u', 20),
      token_hash: 'int4send(n)',
      device: `''`,
      address: `''`,
      expires_at: `now() + interval '1 day'`,
    },
  });
}, 60_000);
afterAll(() => database.drop());

it('the sessions of a person are read in the order of an index', async () => {
  const reader = { organizationId: idOf('o7'), userId: idOf('u7') };
  expect(await database.planOf((db, page) => listSessions(readerOf(db, reader), page))).toEqual([
    'refresh_sessions_user_id_id_idx',
  ]);
});
