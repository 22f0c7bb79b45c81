import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { migrationNames } from './migrate.ts';
import { createTestDatabase, type TestDatabase } from './testing/test-database.ts';

const MIGRATION = '20261122140500_images_of_other_organizations';
const OWN = '0a0c0000-0000-4000-8000-00000000000a';
const OTHER = '0a0c0000-0000-4000-8000-00000000000b';

let database: TestDatabase;
let db: Client;

beforeAll(async () => {
  database = await createTestDatabase('nothing');
  db = new Client({ connectionString: database.url });
  await db.connect();
});

afterAll(async () => {
  await db.end();
  await database.drop();
});

const migrate = async (name: string) =>
  db.query(await readFile(join(import.meta.dirname, '../migrations', name, 'migration.sql'), 'utf8'));

const media = (id: number, organizationId: string | null) =>
  db.query(
    `INSERT INTO media.media (id, organization_id, title, media_type, mime_type, file_size, original_name, file_name,
       tenant, folder, storage_key)
     VALUES ($1, $2, '', 'image', 'image/png', 1, '', '', '', '', $3)`,
    [id, organizationId, `key ${id}`],
  );

it('the migration removes images of other organizations, and no others', async () => {
  const names = await migrationNames();
  for (const name of names.slice(0, names.indexOf(MIGRATION))) await migrate(name);
  await media(1, OWN.toUpperCase()); // as a header named it
  await media(2, OTHER);
  await media(3, null);
  for (const id of [1, 2, 3, 4]) {
    await db.query(
      `INSERT INTO ticketing.advertising_ticket (advertising_ticket_id, organization_id, advertisement_type,
         image_media_id, updated_at) VALUES ($1, $2, 'coupon', $3, now())`,
      [id, OWN, id],
    );
    await db.query(
      `INSERT INTO ticketing.ticket_group (ticket_group_id, organization_id, workspace_id, slug, group_name_bm,
         group_name_en, group_name_cn, daily_capacity, image_media_id, updated_at)
       VALUES ($1, $2, $2, $4, '', '', '', 1, $3, now())`,
      [id, OWN, id, `group-${id}`],
    );
  }

  await migrate(MIGRATION);

  for (const table of ['advertising_ticket', 'ticket_group']) {
    const { rows } = await db.query(`SELECT image_media_id AS image FROM ticketing.${table} ORDER BY ${table}_id`);
    expect(rows.map(({ image }) => image)).toEqual([1, null, 3, 4]);
  }
}, 60_000);
