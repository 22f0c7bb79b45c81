import { deployMigrations } from '@foyer/prisma/migrate';

import { noteOperator, quiet } from '../desk.ts';
import { withHouse } from '../reach.ts';
import type { Terminal } from '../terminal.ts';
import { openShared, openSubgraphs, startUp } from '../../subgraphs.ts';

/** `foyer seed`: what the house does at each start before it opens its doors, without opening them. */
export const seed = (terminal: Terminal): Promise<boolean> =>
  withHouse(terminal.env, ['database', 'identityProvider', 'paymentGateway', 'mail'], async (reached, later) => {
    const { config, env } = reached;
    terminal.note('Seeding …');
    const databaseUrl = env['DATABASE_URL'] ?? '';
    await deployMigrations(databaseUrl);
    const shared = await openShared({ later, databaseUrl, log: quiet, asksOnly: true });
    const subgraphs = await openSubgraphs({ later, shared, env });
    await startUp({ subgraphs, shared, world: {}, config });
    await noteOperator(shared.db, { organizationId: null, action: 'house.seeded', details: { demo: config.seedDemo } });
    terminal.say({ seeded: true, demo: config.seedDemo }, config.seedDemo ? 'seeded, with the demo world' : 'seeded');
    return true;
  });
