import { openDatabase } from '@foyer/prisma/client';
import { beforeAll, describe, expect, it } from 'vitest';

import { createOrganization, type OrganizationFixture } from '../support/fixtures/organization.ts';
import { send } from '../support/fixtures/people.ts';
import { ask, refusalOf } from '../support/fixtures/storefront.ts';
import { sharedServer, type SharedServer } from '../support/servers/shared-server.ts';

let server: SharedServer;
let organization: OrganizationFixture;
let targetGroupId: string;
let headers: Record<string, string>;

beforeAll(async () => {
  server = await sharedServer();
  organization = await createOrganization(server);
  headers = { ...organization.admin.headers, 'x-organization-id': organization.id };
  const create = `mutation ($id: ID!) { createTargetGroup(organizationId: $id, input: { name: "Families" }) { id } }`;
  targetGroupId = (await ask(server, organization.admin, create, { id: organization.id })).id;
});

const campaign = (differently: object = {}) => ({
  name: 'School holidays',
  targetGroupId,
  status: 'draft',
  startDate: '2030-01-01T00:00:00Z',
  endDate: '2030-02-01T00:00:00Z',
  ...differently,
});
const campaigns = (method: string, path = '', body?: object, more: Record<string, string> = {}) =>
  send(server, method, `/api/v1/campaigns${path}`, { headers: { ...headers, ...more }, ...(body && { body }) });
const NOBODYS = '0a0c0000-0000-4000-8000-0000000000ff';

describe('campaigns', () => {
  it('belong to the organization in the header, and to its workspace when that is named', async () => {
    const ofAll = await campaigns('POST', '', campaign({ name: 'For all' }));
    const workspace = { 'x-workspace-id': organization.workspaceId };
    const ofOne = await campaigns('POST', '', campaign({ status: 'active' }), workspace);
    expect([ofAll.status, ofOne.status]).toEqual([201, 201]);
    expect(ofOne.json.id).toEqual(expect.any(String));

    const shown = (await campaigns('GET', '', undefined, workspace)).json;
    expect(shown).toEqual([
      {
        id: ofOne.json.id,
        organizationId: organization.id,
        workspaceId: organization.workspaceId,
        name: 'School holidays',
        targetGroupId,
        targetGroupName: 'Families',
        status: 'active',
        startDate: '2030-01-01T00:00:00.000Z',
        endDate: '2030-02-01T00:00:00.000Z',
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    ]);
    expect((await campaigns('GET')).json).toHaveLength(2);
  });

  it('belong only to a workspace of the organization, for every caller', async () => {
    const other = await createOrganization(server);
    const before = (await campaigns('GET')).json.length;
    const create = `mutation ($id: ID!, $workspaceId: ID, $input: CampaignInput!) {
      createCampaign(organizationId: $id, workspaceId: $workspaceId, input: $input) { id } }`;
    const reasons = ['', other.workspaceId, NOBODYS].map((workspaceId) =>
      refusalOf(server, organization.admin, create, { id: organization.id, workspaceId, input: campaign() }),
    );
    expect(await Promise.all(reasons)).toEqual(['VALIDATION_FAILED', 'FORBIDDEN', 'FORBIDDEN']);

    for (const workspace of [other.workspaceId, NOBODYS]) {
      const claimed = { 'x-organization-id': organization.id, 'x-workspace-id': workspace };
      // A stranger and a logged-in user get the same answer.
      for (const who of [{}, organization.admin.headers]) {
        const made = await send(server, 'POST', '/api/v1/campaigns', {
          headers: { ...claimed, ...who },
          body: campaign(),
        });
        const listed = await send(server, 'GET', '/api/v1/campaigns', { headers: { ...claimed, ...who } });
        expect([made.status, listed.status, listed.json]).toEqual([403, 200, []]);
      }
    }
    expect((await campaigns('GET')).json).toHaveLength(before);
  });

  it('of the whole organization can be changed and removed with a workspace of it in the header, and stay campaigns of all', async () => {
    const [workspace, other] = [{ 'x-workspace-id': organization.workspaceId }, await createOrganization(server)];
    const { id } = (await campaigns('POST', '', campaign())).json as { id: string };
    const found = async () => (await campaigns('GET')).json.find((one: { id: string }) => one.id === id);

    // A stranger and a logged-in user get the same answer.
    for (const who of [{ 'x-organization-id': organization.id }, headers]) {
      const put = async (named: string) =>
        send(server, 'PUT', `/api/v1/campaigns/${id}`, {
          headers: { ...who, 'x-workspace-id': named },
          body: campaign({ name: 'Saved from a workspace' }),
        });
      expect((await put(organization.workspaceId)).status).toBe(200);
      expect(await found()).toMatchObject({ name: 'Saved from a workspace', workspaceId: null });
      for (const foreign of [other.workspaceId, NOBODYS]) expect((await put(foreign)).status).toBe(404);
    }
    expect((await campaigns('DELETE', `/${id}`, undefined, { 'x-workspace-id': other.workspaceId })).status).toBe(404);
    expect((await campaigns('DELETE', `/${id}`, undefined, workspace)).status).toBe(200);
  });

  it('of a workspace are not found with another one in the header', async () => {
    const create = `mutation ($id: ID!) { createWorkspace(input: { organizationId: $id, name: "Second" }) { id } }`;
    const second = (await ask(server, organization.admin, create, { id: organization.id })).id as string;
    const made = await campaigns('POST', '', campaign(), { 'x-workspace-id': organization.workspaceId });
    const saved = (more: Record<string, string>) => campaigns('PUT', `/${made.json.id}`, campaign(), more);
    expect((await saved({ 'x-workspace-id': second })).status).toBe(404);
    expect((await saved({ 'x-workspace-id': organization.workspaceId })).status).toBe(200);
    expect((await saved({})).status).toBe(200);
  });

  it('need the header of the organization', async () => {
    const { status, json } = await send(server, 'GET', '/api/v1/campaigns', { headers: organization.admin.headers });
    expect([status, json.message]).toEqual([400, 'x-organization-id is missing.']);
  });

  it('are changed and removed with a message; without the permission they are not found', async () => {
    const { id } = (await campaigns('POST', '', campaign())).json as { id: string };
    const changed = await campaigns('PUT', `/${id}`, campaign({ name: 'Renamed' }));
    expect([changed.status, changed.json.message]).toEqual([200, expect.any(String)]);

    const other = await createOrganization(server);
    const theirs = { ...other.admin.headers, 'x-organization-id': other.id };
    for (const [path, more] of [
      [`/${NOBODYS}`, {}],
      [`/${id}`, theirs],
    ] as const) {
      const { status, json } = await campaigns('PUT', path, campaign(), more);
      expect([status, json.message]).toEqual([404, 'Campaign not found or permission denied']);
    }
    const removed = await campaigns('DELETE', `/${id}`);
    expect([removed.status, removed.json.message]).toEqual([200, expect.any(String)]);
    expect((await campaigns('DELETE', `/${id}`)).status).toBe(404);
  });

  it('of earlier versions that end after the year 9999 are listed as ending with it, beside the others', async () => {
    const { id } = (await campaigns('POST', '', campaign())).json as { id: string };
    const db = openDatabase(server.databaseUrl);
    const late = new Date('+010000-01-01T11:59:59Z');
    await db.campaign.update({ where: { id }, data: { startDate: late, endDate: late } });
    await db.$disconnect();

    const { status, json } = await campaigns('GET');
    const last = '9999-12-31T23:59:59.999Z';
    expect([status, json]).toEqual([200, expect.arrayContaining([expect.objectContaining({ id, endDate: last })])]);
    expect((await campaigns('PUT', `/${id}`, campaign({ startDate: last, endDate: last }))).status).toBe(200);
  });

  it('keep their status when a change does not name it', async () => {
    const { id } = (await campaigns('POST', '', campaign({ status: 'active' }))).json as { id: string };
    const statusAfter = async (body: object) => {
      const { status } = await campaigns('PUT', `/${id}`, { ...body, name: 'Longer holidays' });
      const { json } = await campaigns('GET');
      const [found] = json.filter((one: { id: string }) => one.id === id);
      return [status, found.name, found.status];
    };
    const { status: _, ...unnamed } = campaign();
    expect(await statusAfter(unnamed)).toEqual([200, 'Longer holidays', 'active']);
    expect(await statusAfter(campaign({ status: null }))).toEqual([200, 'Longer holidays', 'active']);
    expect(await statusAfter(campaign({ status: 'paused' }))).toEqual([200, 'Longer holidays', 'paused']);
    const made = await campaigns('POST', '', unnamed);
    const { json } = await campaigns('GET');
    expect(json).toContainEqual(expect.objectContaining({ id: made.json.id, status: 'draft' }));
  });

  it('take a target group of the same organization, and end after they begin', async () => {
    const wrong = await campaigns('POST', '', campaign({ targetGroupId: '0a0c0000-0000-4000-8000-000000000301' }));
    expect([wrong.status, wrong.json.code]).toEqual([400, 'TARGET_GROUP_NOT_VALID']);
    for (const bad of [{ endDate: '2029-01-01T00:00:00Z' }, { status: 'sent' }, { name: '' }, { startDate: 'soon' }])
      expect((await campaigns('POST', '', campaign(bad))).status).toBe(400);
  });
});
