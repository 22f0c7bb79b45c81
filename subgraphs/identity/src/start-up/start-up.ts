import { oneAtATime } from '@foyer/prisma/one-at-a-time';

import { bootstrapPlatform } from './bootstrap-platform.ts';
import { linkPlatform } from './link-platform.ts';
import type { StartUpNeeds } from './needs.ts';
import { seedCore } from './seed-core.ts';
import { seedDemoUsers } from './seed-demo-users.ts';
import { seedEmailProfiles } from './seed-email-profiles.ts';
import { seedPlatform } from './seed-platform.ts';
import { seedTicketingWorkspace } from './seed-ticketing-workspace.ts';

/**
 * Runs the documented steps 2 to 8, at every start; each skips itself when its work is done. Step 0 is a human's (the
 * embedded provider does it itself), steps 1 and 5 are the migrations.
 */
export async function startUp(needs: StartUpNeeds): Promise<void> {
  await oneAtATime(needs.db, () => takeSteps(needs));
}

async function takeSteps(needs: StartUpNeeds): Promise<void> {
  await bootstrapPlatform(needs);
  await linkPlatform(needs);
  await needs.licenseGuard.start();
  await seedCore(needs);
  await seedEmailProfiles(needs);
  await seedPlatform(needs);
  await seedTicketingWorkspace(needs);
  if (needs.config.demoPassword) await seedDemoUsers(needs, needs.config.demoPassword);
}
