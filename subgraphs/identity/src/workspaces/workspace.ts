import type { Workspace } from '@foyer/prisma/client';
import type { Id } from '@foyer/shared/ids';

/** A workspace as some viewer sees it. */
export interface SeenWorkspace {
  id: Id;
  name: string;
  description: string | null;
  /** Null when the viewer may not know it. */
  organizationId: Id | null;
}

/** @param known whether the viewer may know more than the name */
export const workspaceAsSeen = (
  { id, name, description, organizationId }: Workspace,
  known: boolean,
): SeenWorkspace => ({
  id,
  name,
  description: known ? description : null,
  organizationId: known ? organizationId : null,
});
