import { expect } from 'vitest';

import type { Server } from './server-process.ts';
import { send, logIn } from './people.ts';
import { INTERNAL_PSK } from './shared-settings.ts';

export { INTERNAL_PSK };

export const PASSWORD = 'OrganizationFixture-secret-1';

export type LoggedIn = Awaited<ReturnType<typeof logIn>> & { id: string };

/** An organization for one test file, with its administrator logged in. */
export interface OrganizationFixture {
  id: string;
  companyCode: string;
  /** Its first workspace, named Default. */
  workspaceId: string;
  admin: LoggedIn;
  /** The address of somebody of this name. */
  mail(name: string): string;
  /** One more person, an ORG_MEMBER until told otherwise. */
  join(name: string): Promise<LoggedIn>;
  /** Signs somebody in again, to have the tokens of now. */
  again(name: string): Promise<LoggedIn>;
  /** A tenancy route of this organization. */
  ask(who: { headers: Record<string, string> }, method: string, path: string, body?: unknown): ReturnType<typeof send>;
}

let count = 0;

/** Opens an organization as the platform does; the server must have been given INTERNAL_PSK. */
export async function createOrganization(server: Server): Promise<OrganizationFixture> {
  const companyCode = `OFFICE${process.pid}-${(count += 1)}`;
  const mail = (name: string) => `${name}@${companyCode.toLowerCase()}.test`;
  const platform = await logIn(server, 'admin@foyer.test', 'PLATFORM');
  const { status, json } = await send(server, 'POST', '/api/v1/tenancy/organizations', {
    headers: platform.headers,
    body: {
      name: `OrganizationFixture ${companyCode}`,
      company_code: companyCode,
      app_ids: ['ticketing', 'media'],
      admin: { username: mail('admin'), email: mail('admin'), password: PASSWORD },
    },
  });
  expect(status).toBe(201);
  const { id, workspace, admin } = json.data as { id: string; workspace: { id: string }; admin: { id: string } };

  const again = async (name: string, personId: string) => ({
    ...(await logIn(server, mail(name), companyCode, PASSWORD)),
    id: personId,
  });
  const ids = new Map([['admin', admin.id]]);
  return {
    id,
    companyCode,
    workspaceId: workspace.id,
    admin: await again('admin', admin.id),
    mail,
    async join(name) {
      const joined = await send(server, 'POST', `/api/v1/internal/orgs/${id}/users`, {
        headers: { 'x-internal-token': INTERNAL_PSK },
        body: { username: mail(name), email: mail(name), given_name: name, family_name: 'Test', password: PASSWORD },
      });
      expect(joined.status).toBe(201);
      const members = await send(server, 'GET', `/api/v1/tenancy/organizations/${id}/users?limit=100`, {
        headers: platform.headers,
      });
      const found = (members.json.data as { id: string; email: string }[]).find(({ email }) => email === mail(name));
      ids.set(name, found?.id ?? '');
      return again(name, found?.id ?? '');
    },
    again: (name) => again(name, ids.get(name) ?? ''),
    ask: ({ headers }, method, path, body) =>
      send(server, method, `/api/v1/tenancy/organizations/${id}${path}`, {
        headers,
        ...(body !== undefined && { body }),
      }),
  };
}
