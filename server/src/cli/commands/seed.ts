import { deployMigrations } from '@foyer/prisma/migrate';
import { openErrorLog } from '@foyer/shared/telemetry/log';

import { auditOperator } from '../operator/operator-context.ts';
import { withInstallation } from '../operator/installation.ts';
import type { Terminal } from '../operator/terminal.ts';
import { readServerConfig } from '../../composition/configuration.ts';
import { openShared } from '../../composition/infrastructure.ts';
import { openSubgraphs, startUp } from '../../composition/subgraphs.ts';

/** `foyer seed`: migrates, starts up and seeds like the start of a server, but serves nothing. */
export async function seed(terminal: Terminal): Promise<boolean> {
  readServerConfig(terminal.env); // names all that is missing at once
  return withInstallation(
    terminal.env,
    ['database', 'identityProvider', 'paymentGateway', 'mail'],
    async (installation, stack) => {
      const { config, env } = installation;
      terminal.note('Seeding …');
      const databaseUrl = env['DATABASE_URL'] ?? '';
      await deployMigrations(databaseUrl, config.logLevel);
      const shared = await openShared({ stack, databaseUrl, log: openErrorLog(config.logLevel), enqueueOnly: true });
      const subgraphs = await openSubgraphs({ stack, shared, env });
      await startUp({ subgraphs, shared, embedded: {}, config });
      await auditOperator(shared.db, {
        organizationId: null,
        action: 'house.seeded',
        details: { demo: config.seedDemo },
      });
      terminal.say({ seeded: true, demo: config.seedDemo }, config.seedDemo ? 'seeded, with the demo data' : 'seeded');
      return true;
    },
  );
}
