import type { IdentityTransaction } from '@foyer/prisma/identity';
import type { Id } from '@foyer/shared/ids';

import { PLATFORM_ORGANIZATION_ID } from '../tenancy/platform-organization.ts';
import type { StartUpNeeds } from './needs.ts';

/**
 * Step 7: makes the first user of the platform organization its owner, with a workspace named Default. Skips when there
 * is any platform member, and for good once the platform has had an owner, so that removing the last one gains nothing.
 * A failure is only a warning.
 */
export async function seedPlatform({ db, log }: Pick<StartUpNeeds, 'db' | 'log'>): Promise<void> {
  try {
    await db.$transaction(async (tx) => {
      if (await tx.platformOwnership.findFirst()) return warnOfNoOwner(tx, log);
      if ((await tx.platformMember.count()) > 0) return;
      const first = await tx.authUser.findFirst({
        where: { orgId: PLATFORM_ORGANIZATION_ID },
        orderBy: { createdAt: 'asc' },
      });
      if (first) await makeOwner(tx, first.id);
    });
  } catch (error) {
    log.warn({ err: error }, 'the platform has no owner yet: seeding it failed');
  }
}

async function warnOfNoOwner(tx: IdentityTransaction, log: StartUpNeeds['log']): Promise<void> {
  if ((await tx.platformMember.count({ where: { roleId: 'PLATFORM_OWNER' } })) > 0) return;
  log.warn('the platform has no owner any more: name one with pnpm foyer platform owner add');
}

async function makeOwner(tx: IdentityTransaction, userId: Id) {
  const organizationId = PLATFORM_ORGANIZATION_ID;
  await tx.platformMember.create({ data: { userId, roleId: 'PLATFORM_OWNER' } });
  await tx.organizationMember.createMany({
    data: { organizationId, userId, role: 'ORG_ADMIN', roleId: 'ORG_ADMIN' },
    skipDuplicates: true,
  });
  await tx.workspace.create({ data: { organizationId, name: 'Default' } });
}
