import { randomUUID } from 'node:crypto';

import { expect } from 'vitest';

import { ask } from '../../support/storefront.ts';
import { open } from '../framework/open-route.ts';
import { fieldsOf, perServer } from '../framework/per-server.ts';
import type { Rows } from '../framework/row.ts';
import type { Headers, Server } from '../framework/server.ts';
import { text, timestamp, uuid } from '../framework/shapes.ts';

/** An organization with a target group to which campaigns speak. */
const office = perServer(async (server) => {
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
  return { organization, targetGroupId: targetGroupId as string, campaign, scope, inWorkspace, headers, make };
});

const token = async (server: Server) => (await office(server)).organization.admin.headers;

/** A campaign of all workspaces and one of one, as the list shows them. */
const listed = perServer(async (server) => {
  const { make, inWorkspace, headers, organization, targetGroupId } = await office(server);
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
      const { scope } = await office(server);
      return server.send('GET', '/api/v1/campaigns', { headers: { ...scope, ...headers } });
    },
    async ({ status, json }, server) => {
      const { ofAll, ofOne } = await listed(server);
      expect([status, json]).toEqual([200, expect.arrayContaining([ofAll, ofOne])]);
      const { inWorkspace, headers } = await office(server);
      const some = await server.send('GET', '/api/v1/campaigns', { headers: { ...headers, ...inWorkspace } });
      expect(some.json).toEqual(expect.arrayContaining([ofOne]));
      expect(some.json).not.toEqual(expect.arrayContaining([ofAll]));
      const nowhere = await server.send('GET', '/api/v1/campaigns', { headers: await token(server) });
      expect(nowhere.status).toBe(400);
    },
    token,
  ),

  'ticketing-campaign-routes-post-campaigns': open(
    async (server, headers) => {
      const { inWorkspace, campaign } = await office(server);
      return server.send('POST', '/api/v1/campaigns', { headers: { ...inWorkspace, ...headers }, body: campaign() });
    },
    ({ status, json }) => expect([status, json.id]).toEqual([201, uuid]),
    token,
  ),

  'ticketing-campaign-routes-put-campaigns-campaign-id': open(
    async (server, headers) => {
      const { scope, campaign, make } = await office(server);
      const body = campaign({ name: 'Renamed', status: 'active' });
      return server.send('PUT', `/api/v1/campaigns/${await make()}`, { headers: { ...scope, ...headers }, body });
    },
    ({ status, json }) => expect([status, json.message]).toEqual([200, text]),
    token,
  ),

  'ticketing-campaign-routes-delete-campaigns-campaign-id': open(
    async (server, headers) => {
      const { scope, make } = await office(server);
      return server.send('DELETE', `/api/v1/campaigns/${await make()}`, { headers: { ...scope, ...headers } });
    },
    ({ status, json }) => expect([status, json.message]).toEqual([200, text]),
    token,
  ),

  'ticketing-authentication-campaign-routes': open(
    async (server, headers) => {
      const { inWorkspace } = await office(server);
      return server.send('GET', '/api/v1/campaigns', { headers: { ...inWorkspace, ...headers } });
    },
    async ({ status, json }, server) => {
      const { organization } = await office(server);
      expect(status).toBe(200);
      for (const campaign of json)
        expect(campaign).toMatchObject({ organizationId: organization.id, workspaceId: organization.workspaceId });
    },
    token,
  ),

  'ticketing-errors-404-campaign': open(
    async (server, headers) => {
      const { scope, campaign } = await office(server);
      const path = `/api/v1/campaigns/${randomUUID()}`;
      return server.send('PUT', path, { headers: { ...scope, ...headers }, body: campaign() });
    },
    async ({ status, json }, server) => {
      expect([status, json.message]).toEqual([404, 'Campaign not found or permission denied']);
      const { make, campaign } = await office(server);
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
