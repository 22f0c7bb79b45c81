import { randomUUID } from 'node:crypto';

import { expect } from 'vitest';

import { newCustomer } from '../../support/fixtures/customers.ts';
import { ask } from '../../support/fixtures/storefront.ts';
import { until } from '../../support/until.ts';
import { fieldsOf, perServer } from '../framework/per-server.ts';
import { holds, notApplicable, type Rows } from '../framework/row.ts';
import type { Answer, Headers, Server } from '../framework/server.ts';
import { isCount, text, timestamp, truth, words } from '../framework/shapes.ts';

interface Notification {
  notificationId: number;
  type: string;
  title: string;
  [field: string]: unknown;
}

const list = (server: Server, headers: Headers) => server.send('GET', '/api/notifications', { headers });
const mark = (server: Server, headers: Headers, body: object): Promise<Answer> =>
  server.send('PUT', '/api/notification', { headers, body });
const told = async (server: Server, headers: Headers) => (await list(server, headers)).json.data as Notification[];

/** Staff of an organization of their own, who are told of a report as often as they export orders. */
export async function listeners(server: Server) {
  const { admin } = await server.newOrganization();
  const reports = async () => (await told(server, admin.headers)).filter(({ type }) => type === 'Report');
  const tell = async () => {
    await ask(server, admin, 'mutation { exportOrders { rows } }');
    return (await reports())[0] as Notification;
  };
  return { headers: admin.headers, tell, reports };
}

/** What an administrator is told after somebody's password was reset, and after they changed their own. */
const notifications = perServer(async (server) => {
  const organization = await server.newOrganization();
  const { email } = await organization.member();
  await server.send('POST', '/api/v1/auth/password-reset/request', {
    body: { email, company_code: organization.companyCode },
  });
  const { status } = await server.send('POST', '/api/v1/protected/password', {
    headers: organization.admin.headers,
    body: { current_password: organization.password, new_password: `Changed-${randomUUID()}` },
  });
  expect(status).toBe(200);
  const { headers } = await server.owner();
  return until('a notification of either', async () => {
    const found = await told(server, headers);
    const [reset, changed] = ['Password reset', 'Admin Account Profile'].map((type) =>
      found.find((notification) => notification.type === type),
    );
    return reset && changed && [changed, reset];
  });
});

/** Each of them. */
const all = (check: (notification: Notification) => void) => (found: Notification[]) => found.forEach(check);

/** "Notification": its fields, and what its types mean. */
export const notificationFields: Rows = {
  ...fieldsOf(notifications, {
    'ticketing-notification-notification-id': all(({ notificationId }) => expect(isCount(notificationId)).toBe(true)),
    'ticketing-notification-performed-by': all(({ performedBy }) => expect(performedBy).toEqual(words)),
    'ticketing-notification-authority-level': (found) =>
      expect(found.map(({ authorityLevel }) => authorityLevel)).toEqual(['ADMIN', 'system']),
    'ticketing-notification-type': (found) =>
      expect(found.map(({ type }) => type)).toEqual(['Admin Account Profile', 'Password reset']),
    'ticketing-notification-title-message': all((one) => expect(one).toMatchObject({ title: words, message: words })),
    'ticketing-notification-date': all((one) => {
      expect(one['date']).toMatch(/^\d\d-\d\d-\d{4} \d\d:\d\d:\d\d$/);
      // It is the time in Kuala Lumpur at which it was written.
      const [, day, month, year, time] = /^(..)-(..)-(....) (.*)$/.exec(String(one['date'])) ?? [];
      const said = Date.parse(`${year}-${month}-${day}T${time}+08:00`);
      expect(Math.round((said - Date.parse(String(one['createdAt']))) / 60_000)).toBeCloseTo(0, 0);
    }),
    'ticketing-notification-is-read-is-deleted': all((one) =>
      expect(one).toMatchObject({ isRead: truth, isDeleted: truth }),
    ),
    'ticketing-notification-created-at-updated-at': all((one) =>
      expect(one).toMatchObject({ createdAt: timestamp, updatedAt: timestamp }),
    ),
  }),

  'ticketing-notification-type-meanings': holds(async (server) => {
    const fullName = `Zaiton ${randomUUID()}`;
    await newCustomer(server, undefined, { fullName });
    const toldOf = async ({ headers }: { headers: Headers }, name: string) =>
      (await told(server, headers)).some((one) => one.type === 'Customer' && one['performedBy'] === name);
    const owner = await server.owner();
    await until('a notification of the new customer', () => toldOf(owner, fullName));
    // Organizations from which the customer has not ordered get the notification without the name (docs/decisions/0059).
    expect(await toldOf(await server.acmeAdmin(), 'Z***')).toBe(true);
    await notifications(server);
  }, 'Admin Management: test/identity/staff-notifications.test.ts'),
};

/** "Notifications": the flags, the routes, who may call. */
export const notificationRoutes: Rows = {
  'ticketing-order-status-notification-flags': holds(async (server) => {
    const { headers, tell, reports } = await listeners(server);
    const { notificationId } = await tell();
    for (const back of [{ isRead: false }, { isDeleted: false }])
      expect([back, (await mark(server, headers, { notificationId, ...back })).status]).toEqual([back, 400]);
    await mark(server, headers, { notificationId, isRead: true });
    expect(await reports()).toMatchObject([{ notificationId, isRead: true, isDeleted: false }]);
    await mark(server, headers, { notificationId, isDeleted: true });
    expect(await reports()).toEqual([]);
  }),

  'ticketing-notification-routes-get-notifications': holds(async (server) => {
    const { headers, tell, reports } = await listeners(server);
    const [first, second, third] = [await tell(), await tell(), await tell()];
    await mark(server, headers, { notificationId: second.notificationId, isDeleted: true });
    const { status, json } = await list(server, headers);
    expect([status, json]).toEqual([200, { success: true, data: expect.any(Array) }]);
    expect(await reports()).toEqual([third, first]);
    for (const one of json.data) expect(one).toMatchObject({ isDeleted: false });
    const others = (await listeners(server)).reports; // of another organization
    expect(await others()).toEqual([]);
    const ids = json.data.map(({ notificationId }: Notification) => notificationId);
    expect(ids).toEqual(ids.toSorted((one: number, other: number) => other - one));
  }),

  'ticketing-notification-routes-put-notification': holds(async (server) => {
    const { headers, tell, reports } = await listeners(server);
    const [one, two] = [await tell(), await tell()];
    for (const body of [
      { notificationId: one.notificationId, isRead: true },
      { notificationId: one.notificationId, isDeleted: true },
      { notificationId: two.notificationId, isRead: false, isDeleted: true },
    ]) {
      const { status, json } = await mark(server, headers, body);
      expect([body, status, json]).toEqual([body, 200, { success: true, data: { success: true } }]);
    }
    expect(await reports()).toEqual([]);
  }),

  'ticketing-notification-routes-none-to-create': holds(async (server) => {
    const { headers } = await server.owner();
    for (const path of ['/api/notification', '/api/notifications']) {
      const { status } = await server.send('POST', path, { headers, body: { title: 'x', message: 'y' } });
      expect([path, [404, 405].includes(status)]).toEqual([path, true]);
    }
  }, 'the internal call: subgraphs/ticketing/src/notifications/notify.ts'),

  'ticketing-authentication-notification-routes': holds(async (server) => {
    const { tell } = await listeners(server);
    const { notificationId } = await tell();
    for (const [headers, expected] of [
      [{}, 401],
      [(await server.customer()).headers, 403],
      [await server.legacy('CUSTOMER'), 403],
    ] as const) {
      expect((await list(server, headers)).status).toBe(expected);
      expect((await mark(server, headers, { notificationId, isRead: true })).status).toBe(expected);
    }
    for (const role of ['ADMIN', 'SYSADMIN', 'MEMBER'])
      expect([role, (await list(server, await server.legacy(role))).status]).toEqual([role, 200]);
  }),
};

/** "Events", as far as they are about notifications, and what is planned. */
export const notificationEvents: Rows = {
  'ticketing-events-notifications': holds(async (server) => {
    await notifications(server);
    const { tell } = await listeners(server);
    expect(await tell()).toMatchObject({ title: text, message: text });
  }, 'an administrator who is made or removed: test/identity/staff-notifications.test.ts'),
  'ticketing-events-planned': notApplicable(
    'it plans what the services lacked; nothing of it is promised, and no documented route serves it',
  ),
};
