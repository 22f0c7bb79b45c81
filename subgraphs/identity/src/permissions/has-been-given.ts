import type { IdentityTransaction } from '@foyer/prisma/identity';

/** Whether a person has been granted anything, anywhere; a newly invited person has not. */
export async function hasBeenGiven(
  tx: Pick<IdentityTransaction, 'platformMember' | 'organizationMember' | 'workspaceMember' | 'teamWorkspaceRole'>,
  userId: string,
): Promise<boolean> {
  const given =
    (await tx.platformMember.count({ where: { userId } })) +
    (await tx.organizationMember.count({ where: { userId, roleId: { not: 'ORG_MEMBER' } } })) +
    (await tx.workspaceMember.count({ where: { userId } })) +
    (await tx.teamWorkspaceRole.count({ where: { team: { members: { some: { userId } } } } }));
  return given > 0;
}
