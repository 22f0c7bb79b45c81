import { openDatabase } from '@foyer/prisma/client';
import { deployMigrations } from '@foyer/prisma/migrate';

import { auditOperator } from '../operator/operator-context.ts';
import { withInstallation } from '../operator/installation.ts';
import type { Terminal } from '../operator/terminal.ts';

/** `foyer migrate`: applies the migrations that the database does not have yet. */
export const migrate = (terminal: Terminal): Promise<boolean> =>
  withInstallation(terminal.env, ['database'], async ({ config, env }, stack) => {
    const databaseUrl = env['DATABASE_URL'] ?? '';
    terminal.note('Migrating …');
    const applied = await deployMigrations(databaseUrl, config.logLevel);
    if (applied.length > 0) {
      const db = stack.adopt(openDatabase(databaseUrl, { connections: 1 }), (open) => open.$disconnect());
      await auditOperator(db, { organizationId: null, action: 'database.migrated', details: { applied } });
    }
    terminal.say({ applied }, applied.length > 0 ? `applied ${applied.join(', ')}` : 'up to date');
    return true;
  });
