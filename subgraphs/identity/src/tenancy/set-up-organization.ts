import type { User, Workspace } from '@foyer/prisma/client';
import type { IdentityTransaction } from '@foyer/prisma/identity';
import type { Id } from '@foyer/shared/ids';

import { organizationInUse } from './refusals.ts';

interface Administrator {
  idpUserId: string;
  username: string;
  email: string;
  givenName: string;
  familyName: string;
  passwordChangeRequired?: boolean;
}

/**
 * Sets up a new organization in the cloud: its administrator, and a workspace named Default. Only the platform may
 * grant what it does not hold itself, and only where nobody is yet.
 *
 * @throws {Refusal} `ORGANIZATION_IN_USE`
 */
export async function setUpOrganization(
  tx: IdentityTransaction,
  organizationId: Id,
  { idpUserId, username, email, givenName, familyName, passwordChangeRequired = false }: Administrator,
): Promise<{ admin: User; workspace: Workspace }> {
  if ((await tx.organizationMember.count({ where: { organizationId } })) > 0) throw organizationInUse();
  const account = await tx.authUser.create({
    data: { idpUserId, orgId: organizationId, username, email, passwordChangeRequired },
  });
  const admin = await tx.user.create({
    data: { id: account.id, organizationId, username, email, firstName: givenName, lastName: familyName },
  });
  await tx.organizationMember.create({
    data: { organizationId, userId: admin.id, role: 'ORG_ADMIN', roleId: 'ORG_ADMIN' },
  });
  const workspace = await tx.workspace.create({ data: { organizationId, name: 'Default' } });
  return { admin, workspace };
}
