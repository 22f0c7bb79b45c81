import { Refusal } from '@foyer/shared/errors';

/** Also for one of another organization. */
export const workspaceNotFound = () =>
  new Refusal('NOT_FOUND', 'WORKSPACE_NOT_FOUND', 'There is no such workspace in this organization.');
