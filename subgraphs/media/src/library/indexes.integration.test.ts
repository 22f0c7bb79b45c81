import { openDatabase } from '@foyer/prisma/client';
import { nodesOf, selectsOf, type PlanNode } from '@foyer/prisma/testing/grown-database';
import { createTestDatabase, type TestDatabase } from '@foyer/prisma/testing/test-database';
import type { Permissions } from '@foyer/shared/auth/permissions';
import type { Viewer } from '@foyer/shared/auth/viewer';
import { readId } from '@foyer/shared/ids';
import { openLog } from '@foyer/shared/telemetry/log';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { memberOf } from '../testing/library-fixture.ts';
import { enqueueRun } from '../processing/enqueue-step.ts';
import { resumeProcessing } from '../processing/resume-processing.ts';
import { reservedBy, storedBy } from '../quotas/usage.ts';
import { countMedia } from './count-media.ts';
import { listMedia } from './list-media.ts';
import { listFolders } from './list-namespaces.ts';

/**
 * As many as the planner needs to choose as it does for large libraries, and no more than ANALYZE reads (300 rows for each step of
 * its statistics target): from a sample, its choice would differ from run to run. One workspace has half of them.
 */
const ITEMS = 30_000;
const ORGANIZATIONS = 100;
const large = { workspaceId: readId('large') };
const small = { workspaceId: readId('w7') };

let scratch: TestDatabase;
let db: ReturnType<typeof openDatabase>;
beforeAll(async () => {
  scratch = await createTestDatabase();
  db = openDatabase(scratch.url);
  await db.$executeRaw`
    INSERT INTO media.media (organization_id, workspace_id, title, media_type, mime_type, file_size, original_name,
      file_name, tenant, folder, storage_key, duration, status, transcoding_stage, objects_recorded)
    SELECT 'o' || n % ${ORGANIZATIONS}, CASE n % 2 WHEN 0 THEN 'large' ELSE 'w' || n % ${ORGANIZATIONS} END, md5(n::text), 'video',
      'video/mp4', n::bigint * 7919 % 1000003, md5('o' || n), md5('f' || n), 't' || n % 3, 'folder ' || n % 1500 || '/' || n % 7,
      'key/' || n, n % 5000, 'ready', 'done', true
      FROM generate_series(1, ${ITEMS}::int) n`;
  await db.$executeRaw`
    INSERT INTO media.upload_token (token_hash, organization_id, workspace_id, title, media_type, mime_type, file_size,
      original_name, file_name, tenant, folder, expires_at)
    SELECT 'h' || n, 'o' || n % ${ORGANIZATIONS}, 'w1', 't', 'video', 'video/mp4', 1, 'o', 'f', 't', '', now()
      FROM generate_series(1, ${ITEMS / 4}::int) n`;
  await db.$executeRaw`
    INSERT INTO media.usage (organization_id, workspace_id, items, bytes)
    SELECT 'other ' || n, 'w', 1, 1 FROM generate_series(1, ${ITEMS / 4}::int) n`;
  await vi.waitFor(vacuum, { timeout: 60_000, interval: 250 });
}, 120_000);
/**
 * Plans are those of a table whose pages are known to be visible to all. Vacuum can't know it while another session, such as
 * PostgreSQL's own that analyzes the same table, has a snapshot from before the rows.
 */
async function vacuum(): Promise<void> {
  await db.$executeRaw`VACUUM (ANALYZE) media.media, media.upload_token, media.usage`;
  const hidden = await db.$queryRaw<{ relname: string }[]>`SELECT relname FROM pg_class
    WHERE oid IN ('media.media'::regclass, 'media.upload_token'::regclass, 'media.usage'::regclass) AND relallvisible < relpages`;
  expect(hidden).toEqual([]);
}
afterAll(async () => {
  await db.$disconnect();
  await scratch.drop();
});

const viewer = memberOf(1);
const permissions = {
  onPlatform: async () => new Set<string>(),
  inOrganization: async () => new Set<string>(),
  inWorkspace: async () => ({ organizationId: readId('o1'), permissions: new Set(['media:view']) }),
  workspacesWith: async () => [readId('w1'), readId('w2')],
} satisfies Permissions;

/** Runs a query of ours, and returns how PostgreSQL executes its last statement: tables that are read whole, indexes. */
async function planOf(query: (needs: Needs) => Promise<unknown>): Promise<string[]> {
  const statements = await selectsOf(scratch.url, (heard) => query({ viewer, permissions, db: heard }));
  return readBy(statements.at(-1));
}

async function readBy({ sql = '', parameters = [] }: Partial<Awaited<ReturnType<typeof selectsOf>>[number]> = {}) {
  const explaining = `EXPLAIN (FORMAT JSON) ${sql}`;
  const [answer] = await db.$queryRawUnsafe<[{ 'QUERY PLAN': [{ Plan: PlanNode }] }]>(explaining, ...parameters);
  const nodes = nodesOf(answer['QUERY PLAN'][0].Plan);
  const read = nodes.flatMap((node) => {
    if (node['Index Name']) return [node['Index Name']];
    return node['Node Type'] === 'Seq Scan' ? [`all of ${node['Relation Name']}`] : [];
  });
  return [...new Set(read)].toSorted();
}

interface Needs {
  viewer: Viewer;
  permissions: Permissions;
  db: ReturnType<typeof openDatabase>;
}

const indexesOfText = ['media_file_name_trgm_idx', 'media_original_name_trgm_idx', 'media_title_trgm_idx'];

describe('in a large library', () => {
  it.each([
    ['NEWEST', 'media_workspace_id_id_idx'],
    ['OLDEST', 'media_workspace_id_id_idx'],
    ['TITLE', 'media_workspace_id_title_key_id_idx'],
    ['LARGEST', 'media_workspace_id_file_size_id_idx'],
    ['LONGEST', 'media_workspace_id_duration_idx'],
  ] as const)('the order %s is that of an index, on the first page and after it', async (sort, index) => {
    const first = { filter: small, sort, first: 20 };
    expect(await planOf((needs) => listMedia(needs, first))).toEqual([index]);
    const { pageInfo } = await listMedia({ viewer, permissions, db }, first);
    const next = { ...first, after: pageInfo.endCursor };
    expect(await planOf((needs) => listMedia(needs, next))).toEqual([index]);
  });

  it.each([
    ['a text', { text: 'c4ca4238' }, indexesOfText],
    ['a folder and what is in it', { folderTree: 'folder 20' }, ['media_workspace_id_folder_idx']],
    ['a time', { createdFrom: '2200-01-01T00:00:00Z' }, ['media_workspace_id_created_at_idx']],
    ['a status', { status: 'failed' }, ['media_workspace_id_status_id_idx']],
    ['a type', { type: 'image' }, ['media_workspace_id_media_type_id_idx']],
  ] as const)('%s is found, and counted, by an index', async (_, narrowed, indexes) => {
    const filter = { ...large, ...narrowed };
    expect(await planOf((needs) => listMedia(needs, { filter, first: 20 }))).toEqual(indexes);
    const counted = async (needs: Needs) => countMedia(needs, await listMedia(needs, { filter, first: 20 }));
    expect(await planOf(counted)).toEqual(indexes);
  });

  it('a search for one item is the same to PostgreSQL as one for a page, so that it uses the index of the text, too', async () => {
    const search = (first: number) =>
      selectsOf(scratch.url, (heard) =>
        listMedia({ viewer, permissions, db: heard }, { filter: { ...large, text: 'c4ca4238' }, first }),
      );
    expect(await search(1)).toEqual(await search(20));
  });

  it('a whole library is counted by its counters', async () => {
    const counted = async (needs: Needs) => countMedia(needs, await listMedia(needs, { filter: small }));
    expect(await planOf(counted)).toEqual(['usage_workspace_id_idx']);
  });

  it.each([large, small])('folders are counted by an index that has all of them: %j', async ({ workspaceId }) => {
    expect(await planOf((needs) => listFolders(needs, { workspaceId }))).toEqual(['media_folders_idx']);
  });

  it('a quota is checked against counters and reservations', async () => {
    const reservations = { prepared: true, now: new Date() };
    expect(await planOf((needs) => storedBy(needs.db, 'o1'))).toEqual(['usage_pkey']);
    expect(await planOf((needs) => reservedBy(needs.db, 'o1', reservations))).toEqual(
      expect.arrayContaining(['upload_token_reserved']),
    );
  });

  it('what waits to be processed is found and counted without reading what is done', async () => {
    const jobs = { enqueue: async () => undefined, waitingWith: async () => [] } as never;
    const media = { id: 1, run: 1, organizationId: readId('o1'), priority: 'NORMAL' } as const;
    const statements = await selectsOf(scratch.url, async (heard) => {
      await resumeProcessing({ db: heard, jobs, log: openLog('silent'), processingRules: { beatMs: 3_000 } as never });
      await heard.$transaction((tx) => enqueueRun({ jobs }, tx, media));
    });

    const read = (await Promise.all(statements.map(readBy))).flat();
    expect([...new Set(read)].toSorted()).toEqual(['media_pkey', 'media_transcoding_stage_attempt_seen_at_idx']);
  });
});
