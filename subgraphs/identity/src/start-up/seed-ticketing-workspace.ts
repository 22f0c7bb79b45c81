import { PLATFORM_ORGANIZATION_ID } from '../tenancy/platform-organization.ts';
import type { StartUpNeeds } from './needs.ts';

/**
 * Step 8: seeds the pinned workspace of ticketing, with every platform member as its administrator. Skips when it
 * exists or no id is configured.
 */
export async function seedTicketingWorkspace({ db, config }: Pick<StartUpNeeds, 'db' | 'config'>): Promise<void> {
  const id = config.ticketingWorkspaceId;
  if (!id) return;
  await db.$transaction(async (tx) => {
    const made = await tx.workspace.createMany({
      data: { id, organizationId: PLATFORM_ORGANIZATION_ID, name: 'Ticketing' },
      skipDuplicates: true,
    });
    if (made.count === 0) return;
    const members = await tx.platformMember.findMany();
    await tx.workspaceMember.createMany({
      data: members.map(({ userId }) => ({ workspaceId: id, userId, role: 'WORKSPACE_ADMIN' })),
      skipDuplicates: true,
    });
  });
}
