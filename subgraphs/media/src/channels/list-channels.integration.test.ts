import { createGrownDatabase, idInRow, idOf, type GrownDatabase } from '@foyer/prisma/testing/grown-database';
import { readId } from '@foyer/shared/ids';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { readerOf } from '../testing/reader.ts';
import { listChannels, listOrganizationChannels } from './list-channels.ts';

type List = Parameters<GrownDatabase['planOf']>[0];

let database: GrownDatabase;

beforeAll(async () => {
  database = await createGrownDatabase({
    'media.channel': {
      id: 'n',
      organization_id: idInRow('o', 20),
      workspace_id: idInRow('w', 40),
      name: 'n',
      source_type: `'udp'`,
      ingest_config: `'{}'`,
      transcode_config: `'{}'`,
      stream_id: 'n',
    },
  });
}, 60_000);
afterAll(() => database.drop());

it.each<[string, string[], List]>([
  [
    'a workspace',
    ['channel_workspace_id_id_idx'],
    (db, page) => listChannels(readerOf(db), { workspaceId: readId(idOf('w7')), ...page }),
  ],
  ['all workspaces of a person', ['channel_organization_id_id_idx'], (db, page) => listChannels(readerOf(db), page)],
  [
    'an organization',
    ['channel_organization_id_id_idx'],
    (db, page) => listOrganizationChannels(readerOf(db), readId(idOf('o7')), page),
  ],
])('the channels of %s are read in the order of an index', async (_which, indexes, list) => {
  expect(await database.planOf(list)).toEqual(indexes);
});

it.each(['junk', '-1', '1.5', '0', '99999999999'])(
  'a cursor that is none of the list is refused: %s',
  async (after) => {
    const page = database.planOf((db) => listChannels(readerOf(db), { after }));
    await expect(page).rejects.toMatchObject({ reason: 'VALIDATION_FAILED' });
  },
);
