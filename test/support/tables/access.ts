import { expect } from 'vitest';

import type { Server } from '../servers/server-process.ts';
import type { OrganizationFixture, LoggedIn } from '../fixtures/organization.ts';
import { send } from '../fixtures/people.ts';

/** The calls by which an administrator gives people access in an organization, and the resulting permissions. */
export function accessIn(server: Server, organization: OrganizationFixture) {
  const asAdmin = (method: string, path: string, body?: unknown) =>
    organization.ask(organization.admin, method, path, body);
  const made = async (path: string, body: object): Promise<string> => {
    const { status, json } = await asAdmin('POST', path, body);
    expect(status).toBe(201);
    return json.data.id as string;
  };
  return {
    asAdmin,
    made,
    aWorkspace: () => made('/workspaces', { name: 'A place' }),
    aTeam: () => made('/teams', { name: 'A team' }),
    directly: (workspace: string, user: LoggedIn, role = 'VIEWER') =>
      asAdmin('POST', `/workspaces/${workspace}/members`, { user_id: user.id, role }),
    intoTeam: (team: string, user: LoggedIn) => asAdmin('POST', `/teams/${team}/members`, { user_id: user.id }),
    grant: (team: string, workspace: string, role = 'VIEWER') =>
      asAdmin('POST', `/teams/${team}/workspaces`, { workspace_id: workspace, role }),
    /** The permissions of a person in a workspace, from their own `/me`. */
    rightsIn: async (who: LoggedIn, workspace: string): Promise<string[]> => {
      const { json } = await send(server, 'GET', '/api/v1/identity/users/me', { headers: who.headers });
      const found = (json.org.workspaces as { id: string; permissions: string[] }[]).find(({ id }) => id === workspace);
      return found?.permissions ?? [];
    },
  };
}

export type Access = ReturnType<typeof accessIn>;
