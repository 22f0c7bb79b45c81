import type { DatabaseOf, TransactionOf } from './client.ts';

/** The tables that identity owns. */
type Models =
  | 'authOrganization'
  | 'authUser'
  | 'refreshSession'
  | 'magicLink'
  | 'passwordReset'
  | 'passwordAttempt'
  | 'providerRemoval'
  | 'license'
  | 'userBlock'
  | 'authOutbox'
  | 'rateLimit'
  | 'auditEntry'
  | 'organization'
  | 'user'
  | 'organizationMember'
  | 'platformMember'
  | 'platformOwnership'
  | 'workspace'
  | 'workspaceMember'
  | 'team'
  | 'teamMember'
  | 'teamWorkspaceRole'
  | 'role'
  | 'rolePermission'
  | 'app'
  | 'organizationApp'
  | 'workspaceApp'
  | 'emailVerificationCode'
  | 'emailProfile'
  | 'emailUsageMapping'
  | 'seedFingerprint';

export type IdentityDatabase = DatabaseOf<Models>;
export type IdentityTransaction = TransactionOf<Models>;
