import type { AuthUser } from '@foyer/prisma/client';
import type { Id } from '@foyer/shared/ids';

/** A person as the auth service knows them. */
export interface Account {
  id: string;
  idpUserId: string;
  organizationId: Id;
  username: string;
  email: string;
  accountState: string;
  passwordChangeRequired: boolean;
  createdAt: string;
}

export const accountOf = ({
  id,
  idpUserId,
  orgId,
  username,
  email,
  accountState,
  passwordChangeRequired,
  createdAt,
}: AuthUser): Account => ({
  id,
  idpUserId,
  organizationId: orgId,
  username,
  email,
  accountState,
  passwordChangeRequired,
  createdAt: createdAt.toISOString(),
});
