import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { closeHouse, openHouse, type House } from '../support/house.ts';
import type { Json } from '../support/json.ts';
import { mailsTo } from '../support/inbox.ts';
import { INTERNAL_PSK, openOffice, PASSWORD, type Office } from '../support/office.ts';
import { DEMO_PASSWORD, send, signIn } from '../support/people.ts';
import { until } from '../support/until.ts';

let house: House;
let office: Office;
let owner: Record<string, string>;

beforeAll(async () => {
  house = await openHouse({ LOGIN_FLOOR_MS: '50', INTERNAL_PSK });
  office = await openOffice(house);
  owner = (await signIn(house, 'admin@foyer.test', 'PLATFORM')).headers;
});
afterAll(() => closeHouse(house));

/** What staff of the platform read, of one type. */
async function notifications(type: string): Promise<Json[]> {
  const { json } = await send(house, 'GET', '/api/notifications', { headers: owner });
  return (json.data as Json[]).filter((notification) => notification.type === type);
}

const change = (who: Record<string, string>, body: object) =>
  send(house, 'POST', '/api/v1/protected/password', { headers: who, body });
const newPassword = { current_password: DEMO_PASSWORD, new_password: 'Another-Secret-2' };

/** Spec 2, "Notification": "Type meanings". */
describe('identity writes notifications for staff', () => {
  it('"Admin Management when a SYSADMIN created, updated or deleted an admin": once for each', async () => {
    const platform = '/api/v1/tenancy/organizations/00000000-0000-0000-0000-000000000001';
    const email = 'promoted@foyer.test';
    const person = { username: email, email, given_name: 'Mei', family_name: 'Lim' };
    expect((await send(house, 'POST', `${platform}/invitations`, { headers: owner, body: person })).status).toBe(201);
    const { json } = await send(house, 'GET', `${platform}/users?limit=100`, { headers: owner });
    const path = `${platform}/users/${(json.data as Json[]).find((user) => user.email === email)?.id}`;
    const role = { role: 'ORG_ADMIN' };
    expect((await send(house, 'PATCH', `${path}/role`, { headers: owner, body: role })).status).toBe(200);
    expect((await send(house, 'DELETE', path, { headers: owner })).status).toBe(200);
    const said = await until('what became of two administrators', async () => {
      const found = await notifications('Admin Management');
      return found.length >= 3 && found;
    });
    expect(said.map(({ authorityLevel }) => authorityLevel)).toEqual(said.map(() => 'SYSADMIN'));
    const messages = said.map(({ message }) => String(message)).join('\n');
    for (const what of [
      'was made an administrator',
      'Mei Lim was ORG_MEMBER and is ORG_ADMIN now',
      'Mei Lim was removed',
    ])
      expect(messages.split(what)).toHaveLength(2);
  });

  it('"Admin Account Profile when an admin changed their … password", and not when a member did', async () => {
    const member = await office.join('member');
    expect((await change(member.headers, { ...newPassword, current_password: PASSWORD })).status).toBe(200);
    const admin = await signIn(house, 'orgadmin@acme.test', 'ACME');
    expect((await change(admin.headers, newPassword)).status).toBe(200);
    const said = await until('the change of a password', async () => {
      const found = await notifications('Admin Account Profile');
      return found.length > 0 && found;
    });
    expect(said).toMatchObject([{ authorityLevel: 'ADMIN', title: 'Password changed', isRead: false }]);
    expect(said[0]?.date).toMatch(/^\d\d-\d\d-\d{4} \d\d:\d\d:\d\d$/);
    expect(JSON.stringify(said)).not.toContain(newPassword.new_password);
  });

  it('"Password reset when a reset e-mail was sent", without its link', async () => {
    const body = { email: 'viewer@acme.test', company_code: 'ACME' };
    await send(house, 'POST', '/api/v1/auth/password-reset/request', { body });
    await send(house, 'POST', '/api/v1/auth/password-reset/request', { body: { ...body, email: 'x@acme.test' } });
    const [mail] = await until('the letter', async () => {
      const found = await mailsTo(house, 'viewer@acme.test');
      return found.length > 0 && found;
    });
    const token = /token=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? 'none';
    const said = await until('the notification', async () => {
      const found = await notifications('Password reset');
      return found.length > 0 && found;
    });
    expect(said).toMatchObject([{ performedBy: 'system', authorityLevel: 'system' }]);
    expect(JSON.stringify(said)).not.toContain(token);
  });
});
