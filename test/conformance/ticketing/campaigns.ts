import { randomUUID } from 'node:crypto';

import { expect } from 'vitest';

import { ask } from '../../support/fixtures/storefront.ts';
import { open } from '../framework/open-route.ts';
import { fieldsOf, perServer } from '../framework/per-server.ts';
import type { Rows } from '../framework/row.ts';
import type { Headers, Server } from '../framework/server.ts';
import { timestamp, uuid, words } from '../framework/shapes.ts';

/** An organization with a target group to which campaigns speak. */
const fixture = perServer(async (server) => {
  const organization = await server.newOrganization();
  const create = `mutation ($id: ID!) { createTargetGroup(organizationId: $id, input: { name: "Families" }) { id } }`;
  const { id: targetGroupId } = await ask(server, organization.admin, create, { id: organization.id });
  const campaign = (differently: object = {}) => ({
    name: 'School holidays',
    targetGroupId: targetGroupId as string,
    status: 'draft',
    startDate: '2030-01-01T00:00:00Z',
    endDate: '2030-02-01T08:00:00+08:00',
    ...differently,
  });
  const scope = { 'x-organization-id': organization.id };
  const inWorkspace = { ...scope, 'x-workspace-id': organization.workspaceId };
  const headers = { ...organization.admin.headers, ...scope };
  const make = async (differently?: object, more: Headers = {}) => {
    const body = campaign(differently);
    const { json } = await server.send('POST', '/api/v1/campaigns', { headers: { ...headers, ...more }, body });
    return json.id as string;
  };
  const list = async () => {
    const { json } = await server.send('GET', '/api/v1/campaigns', { headers });
    return json as { id: string; name: string; status: string; [field: string]: unknown }[];
  };
  return { organization, targetGroupId: targetGroupId as string, campaign, scope, inWorkspace, headers, make, list };
});

const token = async (server: Server) => (await fixture(server)).organization.admin.headers;

/** A campaign of all workspaces and one of one, as the list shows them. */
const listed = perServer(async (server) => {
  const { make, inWorkspace, headers, organization, targetGroupId } = await fixture(server);
  const sent = { id: randomUUID(), targetGroupName: 'Not theirs', createdAt: '2001-01-01T00:00:00Z' };
  const ids = { ofAll: await make(sent), ofOne: await make({ status: 'active' }, inWorkspace) };
  const { json } = await server.send('GET', '/api/v1/campaigns', { headers });
  const found = (id: string) => json.find((campaign: { id: string }) => campaign.id === id);
  return { ofAll: found(ids.ofAll), ofOne: found(ids.ofOne), organization, targetGroupId };
});

/** "Campaign": the table of its fields. */
export const campaignFields: Rows = fieldsOf(listed, {
  'ticketing-campaign-id': ({ ofAll }) => expect(ofAll.id).toEqual(uuid),
  'ticketing-campaign-organization-id': ({ ofAll, organization }) => expect(ofAll.organizationId).toBe(organization.id),
  'ticketing-campaign-workspace-id': ({ ofAll, ofOne, organization }) =>
    expect([ofAll.workspaceId, ofOne.workspaceId]).toEqual([null, organization.workspaceId]),
  'ticketing-campaign-name': ({ ofAll }) => expect(ofAll.name).toBe('School holidays'),
  'ticketing-campaign-target-group-id': ({ ofAll, targetGroupId }) =>
    expect([ofAll.targetGroupId, targetGroupId]).toEqual([targetGroupId, uuid]),
  'ticketing-campaign-target-group-name': ({ ofAll }) => expect(ofAll.targetGroupName).toBe('Families'),
  'ticketing-campaign-status': ({ ofAll, ofOne }) => expect([ofAll.status, ofOne.status]).toEqual(['draft', 'active']),
  'ticketing-campaign-start-date-end-date': ({ ofAll }) => {
    expect(ofAll).toMatchObject({ startDate: timestamp, endDate: timestamp });
    expect([Date.parse(ofAll.startDate), Date.parse(ofAll.endDate)]).toEqual([
      Date.parse('2030-01-01T00:00:00Z'),
      Date.parse('2030-02-01T00:00:00Z'),
    ]);
  },
  'ticketing-campaign-created-at-updated-at': ({ ofAll }) => {
    expect(ofAll).toMatchObject({ createdAt: timestamp, updatedAt: timestamp });
    expect(ofAll.createdAt).not.toContain('2001-01-01');
  },
});

/** "Campaigns", the 404 of "Errors", and who may call. */
export const campaignRoutes: Rows = {
  'ticketing-campaign-routes-get-campaigns': open(
    async (server, headers) => {
      const { scope } = await fixture(server);
      return server.send('GET', '/api/v1/campaigns', { headers: { ...scope, ...headers } });
    },
    async ({ status, json }, server) => {
      const { ofAll, ofOne } = await listed(server);
      expect([status, json]).toEqual([200, expect.arrayContaining([ofAll, ofOne])]);
      const { inWorkspace, headers } = await fixture(server);
      const some = await server.send('GET', '/api/v1/campaigns', { headers: { ...headers, ...inWorkspace } });
      expect(some.json).toEqual(expect.arrayContaining([ofOne]));
      expect(some.json).not.toEqual(expect.arrayContaining([ofAll]));
      const nowhere = await server.send('GET', '/api/v1/campaigns', { headers: await token(server) });
      expect(nowhere.status).toBe(400);
      const other = await server.newOrganization();
      const theirs = await server.send('GET', '/api/v1/campaigns', {
        headers: { ...other.admin.headers, 'x-organization-id': other.id },
      });
      expect([theirs.status, theirs.json]).toEqual([200, []]);
    },
    token,
  ),

  'ticketing-campaign-routes-post-campaigns': open(
    async (server, headers) => {
      const { inWorkspace, campaign } = await fixture(server);
      return server.send('POST', '/api/v1/campaigns', { headers: { ...inWorkspace, ...headers }, body: campaign() });
    },
    async ({ status, json }, server) => {
      expect([status, json.id]).toEqual([201, uuid]);
      const { campaign, headers, organization, list } = await fixture(server);
      const { startDate, endDate, ...said } = campaign();
      const found = (await list()).find(({ id }) => id === json.id);
      expect(found).toMatchObject({ ...said, workspaceId: organization.workspaceId });
      expect([found?.['startDate'], found?.['endDate']].map((date) => Date.parse(String(date)))).toEqual(
        [startDate, endDate].map((date) => Date.parse(date)),
      );
      for (const missing of ['name', 'targetGroupId', 'startDate', 'endDate']) {
        const body = campaign({ [missing]: undefined });
        const refused = await server.send('POST', '/api/v1/campaigns', { headers, body });
        expect([missing, refused.status, refused.json.errors?.[0]?.path]).toEqual([missing, 400, missing]);
      }
    },
    token,
  ),

  'ticketing-campaign-routes-put-campaigns-campaign-id': open(
    async (server, headers) => {
      const { scope, campaign, make } = await fixture(server);
      const body = campaign({ name: 'Renamed', status: 'active', endDate: '2030-03-01T00:00:00Z' });
      return server.send('PUT', `/api/v1/campaigns/${await make()}`, { headers: { ...scope, ...headers }, body });
    },
    async ({ status, json }, server) => {
      expect([status, json.message]).toEqual([200, words]);
      const [changed] = (await (await fixture(server)).list()).filter(({ name }) => name === 'Renamed');
      expect([changed?.status, Date.parse(String(changed?.['endDate']))]).toEqual(['active', Date.UTC(2030, 2, 1)]);
    },
    token,
  ),

  'ticketing-campaign-routes-delete-campaigns-campaign-id': open(
    async (server, headers) => {
      const { scope, make } = await fixture(server);
      const id = await make({ name: 'Removed' });
      return server.send('DELETE', `/api/v1/campaigns/${id}`, { headers: { ...scope, ...headers } });
    },
    async ({ status, json }, server) => {
      expect([status, json.message]).toEqual([200, words]);
      const { list, make, headers } = await fixture(server);
      const id = await make({ name: 'Removed at last' });
      const removed = () => server.send('DELETE', `/api/v1/campaigns/${id}`, { headers });
      expect([(await removed()).status, (await removed()).status]).toEqual([200, 404]);
      expect((await list()).map((campaign) => campaign.id)).not.toContain(id);
    },
    token,
  ),

  'ticketing-authentication-campaign-routes': open(
    async (server, headers) => {
      const { inWorkspace } = await fixture(server);
      return server.send('GET', '/api/v1/campaigns', { headers: { ...inWorkspace, ...headers } });
    },
    async ({ status, json }, server) => {
      const { organization } = await fixture(server);
      expect(status).toBe(200);
      for (const campaign of json)
        expect(campaign).toMatchObject({ organizationId: organization.id, workspaceId: organization.workspaceId });
    },
    token,
  ),

  'ticketing-errors-404-campaign': open(
    async (server, headers) => {
      const { scope, campaign } = await fixture(server);
      const path = `/api/v1/campaigns/${randomUUID()}`;
      return server.send('PUT', path, { headers: { ...scope, ...headers }, body: campaign() });
    },
    async ({ status, json }, server) => {
      expect([status, json.message]).toEqual([404, 'Campaign not found or permission denied']);
      const { make, campaign } = await fixture(server);
      const other = await server.organization();
      const theirs = await server.send('PUT', `/api/v1/campaigns/${await make()}`, {
        headers: { ...other.admin.headers, 'x-organization-id': other.id },
        body: campaign(),
      });
      expect([theirs.status, theirs.json.message]).toEqual([404, 'Campaign not found or permission denied']);
    },
    token,
  ),
};
