import type { Workspace } from '@foyer/prisma/client';

/** A workspace as some viewer sees it. */
export interface SeenWorkspace {
  id: string;
  name: string;
  description: string | null;
  /** Null when the viewer may not know. */
  organizationId: string | null;
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
