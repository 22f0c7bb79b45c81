import { Refusal } from '@foyer/shared/errors';

/** Also for an item that the viewer may not see: whether it exists is not their business. */
export const mediaNotFound = () => new Refusal('NOT_FOUND', 'MEDIA_NOT_FOUND', 'There is no such media.');

export const workspaceRequired = () =>
  new Refusal('BAD_USER_INPUT', 'WORKSPACE_REQUIRED', 'Name the workspace whose media you mean.');
