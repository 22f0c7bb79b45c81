import type { Permissions } from '@foyer/shared/auth/permissions';

/** Caches permissions for one request of one viewer. */
export function rememberPermissions(permissions: Permissions): Permissions {
  const answers = new Map<string, unknown>();
  const once = <Answer>(question: string, ask: () => Promise<Answer>): Promise<Answer> => {
    if (!answers.has(question)) answers.set(question, ask());
    return answers.get(question) as Promise<Answer>;
  };

  return {
    onPlatform: (viewer) => once('platform', () => permissions.onPlatform(viewer)),
    inOrganization: (viewer, id) => once(`organization ${id}`, () => permissions.inOrganization(viewer, id)),
    inWorkspace: (viewer, id) => once(`workspace ${id}`, () => permissions.inWorkspace(viewer, id)),
    workspacesWith: (viewer, id, permission) =>
      once(`workspaces ${id} ${permission}`, () => permissions.workspacesWith(viewer, id, permission)),
  };
}
