import { createGrownDatabase, idInRow, idOf, type GrownDatabase } from '@foyer/prisma/testing/grown-database';
import { readId } from '@foyer/shared/ids';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { readerOf } from '../testing/reader.ts';
import { listAudit } from './list-audit.ts';

let database: GrownDatabase;

beforeAll(async () => {
  database = await createGrownDatabase({
    'auth.audit_log': {
      id: 'n',
      organization_id: idInRow('o', 20),
      action: `CASE n / 20 % 2 WHEN 0 THEN 'team.created' ELSE 'session.opened' END`,
    },
  });
}, 60_000);
afterAll(() => database.drop());

it.each([
  [{}, 'audit_log_organization_id_id_idx'],
  [{ action: 'team.created' }, 'audit_log_organization_id_action_id_idx'],
])('the entries of an organization are read in the order of an index: %j', async (filter, index) => {
  const organizationId = idOf('o7');
  const list = { organizationId: readId(organizationId), ...filter };
  expect(
    await database.planOf((db, page) => listAudit(readerOf(db, { organizationId }), { ...list, ...page })),
  ).toEqual([index]);
});
