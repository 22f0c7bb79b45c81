import { randomUUID } from 'node:crypto';

import type { Organization, Server } from './server.ts';

const PASSWORD = 'Conforming-secret-1';

export async function newOrganization(server: Server): Promise<Organization> {
  const companyCode = `CONF-${randomUUID().slice(0, 8).toUpperCase()}`;
  const mail = (name: string) => `${name}@${companyCode.toLowerCase()}.test`;
  const created = await server.send('POST', '/api/v1/tenancy/organizations', {
    headers: (await server.owner()).headers,
    body: {
      name: `Conformance ${companyCode}`,
      company_code: companyCode,
      app_ids: ['ticketing', 'media'],
      admin: { username: mail('admin'), email: mail('admin'), password: PASSWORD },
    },
  });
  if (created.status !== 201) throw new Error(`no organization was made: ${created.status} ${created.text}`);
  const { id, workspace } = created.json.data as { id: string; workspace: { id: string } };
  const again = (email: string) => server.login(email, companyCode, PASSWORD);
  const admin = await again(mail('admin'));

  return {
    id,
    companyCode,
    workspaceId: workspace.id,
    created,
    admin,
    password: PASSWORD,
    mail,
    async member(name = `member-${randomUUID().slice(0, 8)}`) {
      const email = mail(name);
      const { status, text } = await server.send('POST', `/api/v1/internal/orgs/${id}/users`, {
        headers: server.internal(),
        body: { username: email, email, given_name: name, family_name: 'Test', password: PASSWORD },
      });
      if (status !== 201) throw new Error(`${email} was not added: ${status} ${text}`);
      return { ...(await again(email)), email };
    },
    again,
    ask: (method, path, { headers = admin.headers, body } = {}) =>
      server.send(method, `/api/v1/tenancy/organizations/${id}${path}`, {
        headers,
        ...(body !== undefined && { body }),
      }),
  };
}
