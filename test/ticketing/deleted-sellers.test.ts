import { beforeAll, describe, expect, it } from 'vitest';

import { createOrganization, type OrganizationFixture } from '../support/fixtures/organization.ts';
import { graphql, logIn, send } from '../support/fixtures/people.ts';
import { aGuest, ask, nobody, onSale, order, orderInput } from '../support/fixtures/storefront.ts';
import { sharedServer, type SharedServer } from '../support/servers/shared-server.ts';

let server: SharedServer;
let organization: OrganizationFixture;

beforeAll(async () => {
  server = await sharedServer();
  organization = await createOrganization(server);
});

const MAKE_CARD = `mutation ($input: AdvertisingTicketInput!, $workspaceId: ID) {
  createAdvertisingTicket(input: $input, workspaceId: $workspaceId) { advertisingTicketId } }`;
const CARDS = `query ($id: ID!) { advertisingTickets(organizationId: $id) { advertisingTicketId } }`;

/** A ticket group on sale and a card, of a workspace. */
async function shop(workspaceId: string) {
  const { admin } = organization;
  const group = await onSale(server, admin, { workspaceId });
  const input = { advertisementType: 'typographic', titleEn: 'Come' };
  const { advertisingTicketId } = await ask(server, admin, MAKE_CARD, { input, workspaceId });
  const buy = async () => {
    const { status, json } = await order(server, orderInput(group, await aGuest(server)));
    return status === 200 ? 'sold' : json.code;
  };
  const isShown = async () => {
    const cards: { advertisingTicketId: string }[] = await ask(server, nobody, CARDS, { id: organization.id });
    return cards.some((card) => card.advertisingTicketId === advertisingTicketId);
  };
  const [streamer] = (await send(server, 'GET', '/streamers')).json.data;
  const place = { headers: admin.headers };
  const channels = `/channels?workspaceId=${workspaceId}`;
  const source = {
    sourceType: 'pl',
    ingestConfig: { url: 'pl:///lobby.smil' },
    origins: [{ streamerId: streamer.id }],
  };
  expect((await send(server, 'POST', channels, { ...place, body: { name: workspaceId, ...source } })).status).toBe(201);
  const streams = async () => (await send(server, 'GET', channels)).json.data.length as number;
  return { buy, isShown, streams };
}

describe('a workspace, or an organization, that was deleted', () => {
  it('shows, sells and streams nothing any more', async () => {
    const { ask: call, admin, workspaceId } = organization;
    const { json } = await call(admin, 'POST', '/workspaces', { name: 'For a season' });
    const [first, other] = [await shop(workspaceId), await shop(json.data.id)];
    for (const each of [first, other]) expect([await each.isShown(), await each.buy()]).toEqual([true, 'sold']);

    expect((await call(admin, 'DELETE', `/workspaces/${json.data.id}`)).status).toBe(200);
    await expect.poll(other.isShown, { timeout: 20_000 }).toBe(false);
    await expect.poll(other.streams, { timeout: 20_000 }).toBe(0);
    expect([await other.buy(), await first.isShown(), await first.buy()]).toEqual(['NOT_ON_SALE', true, 'sold']);
    expect(await first.streams()).toBe(1);

    const { headers } = await logIn(server, 'admin@foyer.test', 'PLATFORM');
    const path = `/api/v1/tenancy/organizations/${organization.id}`;
    expect((await send(server, 'DELETE', path, { headers })).status).toBe(200);
    await expect.poll(first.isShown, { timeout: 20_000 }).toBe(false);
    await expect.poll(first.streams, { timeout: 20_000 }).toBe(0);
    expect(await first.buy()).toBe('NOT_ON_SALE');
  }, 60_000);

  it('leaves its tenants to the next organization that uses them, as when it is created anew', async () => {
    const [first, next] = [await createOrganization(server), await createOrganization(server)];
    const tenant = first.companyCode.toLowerCase();
    const picture = {
      title: 'x',
      mediaType: 'image',
      mimeType: 'image/png',
      fileSize: 1,
      originalName: 'x',
      fileName: 'x',
    };
    const prepare = ({ admin, workspaceId }: OrganizationFixture) =>
      graphql(
        server,
        'mutation ($input: PrepareUploadInput!) { prepareUpload(input: $input) { uploadToken } }',
        { input: { ...picture, tenant, workspaceId } },
        admin.headers,
      );
    const refusal = async () => (await prepare(next)).errors?.[0].extensions.reason ?? null;
    expect((await prepare(first)).errors).toBeUndefined();
    expect(await refusal()).toBe('TENANT_TAKEN');

    const { headers } = await logIn(server, 'admin@foyer.test', 'PLATFORM');
    const path = `/api/v1/tenancy/organizations/${first.id}`;
    expect((await send(server, 'DELETE', path, { headers })).status).toBe(200);
    await expect.poll(refusal, { timeout: 20_000 }).toBeNull();
  });
});
