import { beforeAll, describe, expect, it } from 'vitest';

import { createOrganization, type OrganizationFixture } from '../support/fixtures/organization.ts';
import { send } from '../support/fixtures/people.ts';
import { sharedServer, type SharedServer } from '../support/servers/shared-server.ts';
import { ask } from '../support/fixtures/storefront.ts';

/** One more than a list reads at once. */
const MANY = 101;

let server: SharedServer;
let organization: OrganizationFixture;
let headers: Record<string, string>;

beforeAll(async () => {
  server = await sharedServer();
  organization = await createOrganization(server);
  headers = { ...organization.admin.headers, 'x-organization-id': organization.id };
});

const get = (path: string) => send(server, 'GET', path, { headers });

/** Sends as many bodies to a route, ten at once; returns the created records. */
async function postMany<Made>(path: string, body: (at: number) => object, made: (json: never) => Made) {
  const all: Made[] = [];
  for (let from = 0; from < MANY; from += 10) {
    const some = Array.from({ length: Math.min(10, MANY - from) }, async (_, at) => {
      const { status, json } = await send(server, 'POST', path, { headers, body: body(from + at) });
      expect([status, json]).toEqual([201, expect.anything()]);
      return made(json as never);
    });
    all.push(...(await Promise.all(some)));
  }
  return all;
}

describe('a list that the documents show without pages', () => {
  it('has all campaigns, however many there are; or a page, when the request names one', async () => {
    const create = `mutation ($id: ID!) { createTargetGroup(organizationId: $id, input: { name: "Families" }) { id } }`;
    const { id: targetGroupId } = await ask(server, organization.admin, create, { id: organization.id });
    const dates = { startDate: '2030-01-01T00:00:00Z', endDate: '2030-02-01T00:00:00Z' };
    const made = await postMany(
      '/api/v1/campaigns',
      (at) => ({ name: `Campaign ${at}`, targetGroupId, ...dates }),
      ({ id }: { id: string }) => id,
    );

    const ids = async (query = '') =>
      ((await get(`/api/v1/campaigns${query}`)).json as { id: string }[]).map(({ id }) => id);
    const whole = await ids();
    expect(whole.toSorted()).toEqual(made.toSorted());
    expect(await ids('?limit=30')).toEqual(whole.slice(0, 30));
    expect(await ids('?page=2&limit=30')).toEqual(whole.slice(30, 60));
    expect(await ids('?page=6')).toEqual(whole.slice(100));
    expect((await get('/api/v1/campaigns?limit=101')).status).toBe(400);
  });

  it('has all advertising tickets, by placement; or a page, when the request names one', async () => {
    const made = await postMany(
      '/api/advertisingTickets',
      (at) => ({ advertisementType: 'typographic', titleEn: `Card ${at}`, placement: at % 7 }),
      (card: { advertisingTicketId: number; placement: number }) => card,
    );
    const inOrder = made
      .toSorted((one, other) => one.placement - other.placement || one.advertisingTicketId - other.advertisingTicketId)
      .map(({ advertisingTicketId }) => advertisingTicketId);

    const ids = async (query = '') =>
      ((await get(`/api/advertisingTickets${query}`)).json as { advertisingTicketId: number }[]).map(
        ({ advertisingTicketId }) => advertisingTicketId,
      );
    expect(await ids()).toEqual(inOrder);
    expect(await ids('?page=2&limit=40')).toEqual(inOrder.slice(40, 80));
  });
});

describe('notifications', () => {
  it('have a link to earlier ones, until there are none', async () => {
    for (const _ of [1, 2, 3, 4, 5]) await ask(server, organization.admin, 'mutation { exportOrders { rows } }');
    const numbers = ({ json }: { json: { data: { notificationId: number }[] } }) =>
      json.data.map(({ notificationId }) => notificationId);
    const nextOf = (answer: { headers: Headers }) =>
      /^<(.+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1] ?? null;

    const whole = await get('/api/notifications');
    expect([numbers(whole).length >= 5, nextOf(whole)]).toEqual([true, null]);
    const read: number[] = [];
    for (let path: string | null = '/api/notifications?limit=2'; path;) {
      const page = await get(path);
      expect(page.status).toBe(200);
      read.push(...numbers(page));
      path = nextOf(page);
    }
    expect(read).toEqual(numbers(whole));
  });
});
