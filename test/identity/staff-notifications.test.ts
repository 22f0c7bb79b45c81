import { beforeAll, describe, expect, it } from 'vitest';

import type { Json } from '../support/json.ts';
import { mailsTo } from '../support/servers/inbox.ts';
import { createOrganization, PASSWORD, type OrganizationFixture } from '../support/fixtures/organization.ts';
import { send, logIn } from '../support/fixtures/people.ts';
import { sharedServer, type SharedServer } from '../support/servers/shared-server.ts';
import { until } from '../support/until.ts';

let server: SharedServer;
let organization: OrganizationFixture;
let owner: Record<string, string>;

beforeAll(async () => {
  server = await sharedServer();
  organization = await createOrganization(server);
  owner = (await logIn(server, 'admin@foyer.test', 'PLATFORM')).headers;
});

const emailOf = (name: string) => `${name}@${organization.companyCode.toLowerCase()}.test`;

/** The notifications of one type that staff read. */
async function notifications(type: string, who: Record<string, string>): Promise<Json[]> {
  const { json } = await send(server, 'GET', '/api/notifications', { headers: who });
  return (json.data as Json[]).filter((notification) => notification.type === type);
}

/** The same for staff of the platform, who read all of them: those about the people of this file. */
const ofOurs = async (type: string) =>
  (await notifications(type, owner)).filter(({ message }) =>
    String(message).toUpperCase().includes(organization.companyCode.toUpperCase()),
  );

const change = (who: Record<string, string>, body: object) =>
  send(server, 'POST', '/api/v1/protected/password', { headers: who, body });
const newPassword = { current_password: PASSWORD, new_password: 'Another-Secret-2' };

/** Spec 2, "Notification": "Type meanings". */
describe('identity writes notifications for staff', () => {
  it('"Admin Management when a SYSADMIN created, updated or deleted an admin": once for each', async () => {
    const platform = '/api/v1/tenancy/organizations/00000000-0000-0000-0000-000000000001';
    const email = emailOf('promoted');
    const name = `Mei ${organization.companyCode}`;
    const person = { username: email, email, given_name: 'Mei', family_name: organization.companyCode };
    expect((await send(server, 'POST', `${platform}/invitations`, { headers: owner, body: person })).status).toBe(201);
    const { json } = await send(server, 'GET', `${platform}/users?limit=100`, { headers: owner });
    const path = `${platform}/users/${(json.data as Json[]).find((user) => user.email === email)?.id}`;
    const role = { role: 'ORG_ADMIN' };
    expect((await send(server, 'PATCH', `${path}/role`, { headers: owner, body: role })).status).toBe(200);
    expect((await send(server, 'DELETE', path, { headers: owner })).status).toBe(200);
    const said = await until('what became of two administrators', async () => {
      const found = await ofOurs('Admin Management');
      return found.length >= 3 && found;
    });
    expect(said.map(({ authorityLevel }) => authorityLevel)).toEqual(said.map(() => 'SYSADMIN'));
    const messages = said.map(({ message }) => String(message)).join('\n');
    for (const what of [
      'was made an administrator',
      `${name} was ORG_MEMBER and is ORG_ADMIN now`,
      `${name} was removed`,
    ])
      expect(messages.split(what)).toHaveLength(2);
  });

  it('"Admin Account Profile when an admin changed their … password", and not when a member did', async () => {
    const member = await organization.join('member');
    expect((await change(member.headers, newPassword)).status).toBe(200);
    expect((await change(organization.admin.headers, newPassword)).status).toBe(200);
    const said = await until('the change of a password', async () => {
      const found = await ofOurs('Admin Account Profile');
      return found.length > 0 && found;
    });
    expect(said).toMatchObject([{ authorityLevel: 'ADMIN', title: 'Password changed', isRead: false }]);
    expect(said[0]?.date).toMatch(/^\d\d-\d\d-\d{4} \d\d:\d\d:\d\d$/);
    expect(JSON.stringify(said)).not.toContain(newPassword.new_password);
  });

  it('"Password reset when a reset e-mail was sent", without its link', async () => {
    await organization.join('viewer');
    const body = { email: emailOf('viewer'), company_code: organization.companyCode };
    await send(server, 'POST', '/api/v1/auth/password-reset/request', { body });
    await send(server, 'POST', '/api/v1/auth/password-reset/request', { body: { ...body, email: emailOf('x') } });
    const [mail] = await until('the mail', async () => {
      const found = await mailsTo(server, body.email);
      return found.length > 0 && found;
    });
    const token = /token=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? 'none';
    const said = await until('the notification', async () => {
      const found = await notifications('Password reset', organization.admin.headers);
      return found.length > 0 && found;
    });
    expect(said).toMatchObject([{ performedBy: 'system', authorityLevel: 'system' }]);
    expect(JSON.stringify(said)).not.toContain(token);
  });
});
