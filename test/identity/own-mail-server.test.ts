import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startInbox } from '@foyer/ticketing/simulators/inbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { mailsTo } from '../support/servers/inbox.ts';
import { createOrganization, type OrganizationFixture } from '../support/fixtures/organization.ts';
import { send } from '../support/fixtures/people.ts';
import { sharedServer, type SharedServer } from '../support/servers/shared-server.ts';
import { until } from '../support/until.ts';

let foyer: SharedServer;
let organization: OrganizationFixture;
let folder: string;
let own: Awaited<ReturnType<typeof startInbox>>;
let workspace: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-own-server-'));
  own = await startInbox({ folder, basePath: '/own' });
  foyer = await sharedServer();
  organization = await createOrganization(foyer);
  const { hostname: host, port } = new URL(own.smtpUrl);
  const server = { host, port: Number(port), tls: false };
  const sender = { from_name: 'Acme', from_address: 'tickets@acme.test' };
  const { id } = (await ask('POST', 'email-profiles', { name: 'Own', ...sender, server })).json.data;
  await ask('PUT', 'email-usages/user_invite', { profile_id: id });
  workspace = (await ask('POST', 'workspaces', { name: 'A place' })).json.data.id;
});

afterAll(async () => {
  await own.stop();
  await rm(folder, { recursive: true, force: true });
});

const ask = (method: string, path: string, body?: object) =>
  organization.ask(organization.admin, method, `/${path}`, body);
const emailOf = (name: string) => `${name}@${organization.companyCode.toLowerCase()}.test`;

/** Invites somebody, and reads the link on the server of the organization. */
async function invited(name: string): Promise<{ id: string; token: string }> {
  const email = emailOf(name);
  const person = { username: email, email, given_name: name, family_name: 'Lim' };
  const { json } = await ask('POST', 'invitations', person);
  const mail = await until(`the invitation of ${name}`, async () => {
    const found = (await (await fetch(new URL('email', own.webUrl))).json()) as Mail[];
    return found.find(({ envelope }) => envelope.to.some(({ address }) => address === email));
  });
  return { id: json.user.id, token: tokenIn(mail.text) };
}
interface Mail {
  text: string;
  envelope: { to: { address: string }[] };
}

const tokenIn = (text: string) => /magic-link\?token=([\w-]+)/.exec(text)?.[1] ?? '';
const redeem = (token: string) => send(foyer, 'POST', '/api/v1/auth/magic-link/redeem', { body: { token } });
const give = (userId: string) =>
  ask('POST', `workspaces/${workspace}/members`, { user_id: userId, role: 'WORKSPACE_ADMIN' });
const linkOfServer = async (name: string) =>
  tokenIn((await until(`a link for ${name}`, async () => (await mailsTo(foyer, emailOf(name)))[0])).text);

describe('the operator of an organization’s mail server can read its invitations', () => {
  it('and log in by one only as a person who has been granted nothing', async () => {
    const { token } = await invited('mei');
    expect((await redeem(token)).status).toBe(200);
  });

  it('but not after a grant: the link is replaced by one over Foyer’s own server', async () => {
    const { id, token } = await invited('raj');
    expect((await give(id)).status).toBe(201);

    const read = await redeem(token);
    expect([read.status, read.json.code]).toEqual([401, 'MAGIC_LINK_INVALID']);

    expect((await redeem(await linkOfServer('raj'))).status).toBe(200);
  });

  it.each<[string, (userId: string) => Promise<unknown>]>([
    ['a role in the organization', (id) => ask('PATCH', `users/${id}/role`, { role: 'ORG_MANAGER' })],
    [
      'a team that has a workspace',
      async (id) => {
        const team = (await ask('POST', 'teams', { name: `The team of ${id}` })).json.data.id;
        await ask('POST', `teams/${team}/workspaces`, { workspace_id: workspace, role: 'VIEWER' });
        await ask('POST', `teams/${team}/members`, { user_id: id });
      },
    ],
  ])('nor after %s', async (what, giveIt) => {
    const name = what.replaceAll(' ', '-');
    const { id, token } = await invited(name);
    await giveIt(id);

    expect((await redeem(token)).json.code).toBe('MAGIC_LINK_INVALID');

    expect((await redeem(await linkOfServer(name))).status).toBe(200);
  });

  it('but not of people who are invited again over Foyer’s own server', async () => {
    const { id } = await invited('siti');
    await give(id);
    expect((await ask('POST', `users/${id}/reinvite`)).status).toBe(200);
    expect((await redeem(await linkOfServer('siti'))).status).toBe(200);
  });
});
