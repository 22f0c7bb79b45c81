import { openDatabase } from '@foyer/prisma/client';
import { deployMigrations } from '@foyer/prisma/migrate';

import { noteOperator } from '../desk.ts';
import { withHouse } from '../reach.ts';
import type { Terminal } from '../terminal.ts';

/** `foyer migrate`: applies the migrations that the database does not have yet. */
export const migrate = (terminal: Terminal): Promise<boolean> =>
  withHouse(terminal.env, ['database'], async ({ env }, later) => {
    const databaseUrl = env['DATABASE_URL'] ?? '';
    terminal.note('Migrating …');
    const applied = await deployMigrations(databaseUrl);
    if (applied.length > 0) {
      const db = later(openDatabase(databaseUrl, { connections: 1 }), (open) => open.$disconnect());
      await noteOperator(db, { organizationId: null, action: 'database.migrated', details: { applied } });
    }
    terminal.say({ applied }, applied.length > 0 ? `applied ${applied.join(', ')}` : 'up to date');
    return true;
  });
