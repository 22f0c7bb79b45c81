import { createGrownDatabase, idInRow, idOf, type GrownDatabase } from '@foyer/prisma/testing/grown-database';
import { readId } from '@foyer/shared/ids';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { readerOf } from '../testing/reader.ts';
import { listMedia, listOrganizationMedia, listUserMedia, listWorkspaceMedia } from './list-media.ts';

type List = Parameters<GrownDatabase['planOf']>[0];

let database: GrownDatabase;

beforeAll(async () => {
  database = await createGrownDatabase({
    'media.media': {
      id: 'n',
      organization_id: idInRow('o', 20),
      workspace_id: idInRow('w', 40),
      created_by: idInRow('u', 20),
      title: 'n',
      media_type: `CASE n % 200 WHEN 7 THEN 'slides' ELSE 'video' END`,
      mime_type: `'video/mp4'`,
      file_size: '1',
      original_name: 'n',
      file_name: 'n',
      tenant: `'t'`,
      folder: `''`,
      storage_key: 'n',
    },
  });
}, 60_000);
afterAll(() => database.drop());

it.each<[string, string[], List]>([
  [
    'of a workspace',
    ['media_workspace_id_id_idx'],
    (db, page) => listWorkspaceMedia(readerOf(db), readId(idOf('w7')), page),
  ],
  [
    'of an organization',
    ['media_organization_id_id_idx'],
    (db, page) => listOrganizationMedia(readerOf(db), readId(idOf('o7')), page),
  ],
  [
    'that a person has uploaded',
    ['media_created_by_id_idx'],
    (db, page) => listUserMedia(readerOf(db), readId(idOf('u7')), page),
  ],
])('the media %s are read in the order of an index', async (_which, indexes, list) => {
  expect(await database.planOf(list)).toEqual(indexes);
});

it('the media of an organization with a type that few have are found by the type', async () => {
  const plan = await database.planOf((db, page) => listMedia(readerOf(db), { filter: { type: 'slides' }, ...page }));
  expect(plan.filter((read) => read !== 'a sort')).toEqual(['media_organization_id_media_type_id_idx']); // of those few
});
