import { createGrownDatabase, type GrownDatabase } from '@foyer/prisma/testing/grown-database';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { readerOf } from '../testing/reader.ts';
import { listNodes } from './list-nodes.ts';

let database: GrownDatabase;

beforeAll(async () => {
  database = await createGrownDatabase({
    'media.streamer': { name: 'n', host: `'node'`, http_port: '80', api_port: '81' },
    'media.cache_node': { name: 'n', host: `'node'`, http_port: '80', api_port: '81' },
    'media.load_balancer_node': { name: 'n', host: `'node'`, http_port: '80', api_port: '81' },
  });
}, 60_000);
afterAll(() => database.drop());

it.each([
  ['streamer', 'streamer_pkey'],
  ['cache', 'cache_node_pkey'],
  ['load-balancer', 'load_balancer_node_pkey'],
] as const)('nodes are read in the order of an index, although there are few: %s', async (kind, index) => {
  expect(await database.planOf((db, page) => listNodes(readerOf(db), kind, page))).toEqual([index]);
});

it('a cursor that is none of the list is refused', async () => {
  const page = database.planOf((db) => listNodes(readerOf(db), 'streamer', { after: 'junk' }));
  await expect(page).rejects.toMatchObject({ reason: 'VALIDATION_FAILED' });
});
