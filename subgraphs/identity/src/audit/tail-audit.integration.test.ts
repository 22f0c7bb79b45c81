import { openDatabase } from '@foyer/prisma/client';
import { databaseLine } from '@foyer/prisma/testing/database-line';
import { createTestDatabase } from '@foyer/prisma/testing/test-database';
import { newId } from '@foyer/shared/ids';
import { expect, it } from 'vitest';

import { tailAudit } from './tail-audit.ts';

it('the audit log is followed on after the database was away', async () => {
  const database = await createTestDatabase();
  const line = await databaseLine(database.url);
  const [db, behindLine] = [openDatabase(database.url), openDatabase(line.url)];
  const write = (action: string) => db.auditEntry.create({ data: { organizationId: newId(), action } });
  let failed = 0;
  const findMany = ((query) =>
    behindLine.auditEntry.findMany(query).catch((error: unknown) => {
      failed += 1;
      throw error;
    })) as typeof db.auditEntry.findMany;
  const needs = { auditEntry: { ...behindLine.auditEntry, findMany }, authOrganization: db.authOrganization };
  const leaving = new AbortController();
  const told: string[] = [];

  await write('session.opened');
  const following = (async () => {
    for await (const { action } of tailAudit(needs, { lines: 10, follow: leaving.signal })) told.push(action);
  })();
  await expect.poll(() => told).toEqual(['session.opened']);
  line.breaks('heard');
  await expect.poll(() => failed).toBeGreaterThan(0);
  line.breaks(undefined);
  await write('team.created');

  await expect.poll(() => told).toEqual(['session.opened', 'team.created']);
  leaving.abort();
  await following;
  await Promise.all([db.$disconnect(), behindLine.$disconnect()]);
  await line.stop();
  await database.drop();
});
