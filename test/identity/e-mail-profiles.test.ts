import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startInbox } from '@foyer/ticketing/simulators/inbox';
import { beforeAll, describe, expect, it } from 'vitest';

import { mailsTo } from '../support/servers/inbox.ts';
import { createOrganization, type OrganizationFixture } from '../support/fixtures/organization.ts';
import { graphql, send } from '../support/fixtures/people.ts';
import { sharedServer, type SharedServer } from '../support/servers/shared-server.ts';
import { until } from '../support/until.ts';

let foyer: SharedServer;
let organization: OrganizationFixture;
let other: OrganizationFixture;

beforeAll(async () => {
  foyer = await sharedServer();
  [organization, other] = [await createOrganization(foyer), await createOrganization(foyer)];
});

const emailOf = (name: string) => `${name}@${organization.companyCode.toLowerCase()}.test`;
const ask = (
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = organization.admin.headers,
) => organization.ask({ headers }, method, `/${path}`, body);
const sender = { from_name: 'Acme Tickets', from_address: 'tickets@acme.test', reply_to: 'help@acme.test' };
const make = (name: string, changes: object = {}) => ask('POST', 'email-profiles', { name, ...sender, ...changes });
const invite = (name: string) =>
  ask('POST', 'invitations', {
    username: emailOf(name),
    email: emailOf(name),
    given_name: 'Mei',
    family_name: 'Lim',
  });
const mapTo = (profile_id: string, usage = 'user_invite') => ask('PUT', `email-usages/${usage}`, { profile_id });

async function mailThrough(profileId: string, usage: 'user_invite' | 'password_reset') {
  expect((await mapTo(profileId, usage)).status).toBe(200);
}

describe('e-mail profiles', () => {
  it('are created, changed and deleted, and a name is used once', async () => {
    const made = await make('Seasonal');
    expect(made.status).toBe(201);
    const { id } = made.json.data;
    expect([(await make('Seasonal')).status, (await make('Seasonal')).json.code]).toEqual([
      409,
      'EMAIL_PROFILE_NAME_TAKEN',
    ]);

    const changed = await ask('PATCH', `email-profiles/${id}`, { from_name: 'Acme', reply_to: null });
    expect(changed.json.data).toMatchObject({ from_name: 'Acme', from_address: 'tickets@acme.test', reply_to: null });

    expect((await ask('DELETE', `email-profiles/${id}`)).json).toEqual({ success: true });
    expect((await ask('DELETE', `email-profiles/${id}`)).status).toBe(404);
    expect((await ask('PATCH', `email-profiles/${id}`, { name: 'Gone' })).json.code).toBe('EMAIL_PROFILE_NOT_FOUND');
  });

  it('never show the password of a mail server, in REST or in GraphQL', async () => {
    const server = { host: 'mail.acme.test', port: 465, username: 'acme', password: 'Geheim-und-lang-1' };
    const made = await make('Own server', { server });
    const shown = { host: 'mail.acme.test', port: 465, tls: true, username: 'acme', has_password: true };
    expect(made.json.data.server).toEqual(shown);

    const listed = await ask('GET', 'email-profiles');
    const document = `query ($id: ID!) { emailProfiles(organizationId: $id) { name server { host hasPassword } } }`;
    const inGraphql = await graphql(foyer, document, { id: organization.id }, organization.admin.headers);
    expect(inGraphql.data.emailProfiles).toContainEqual({
      name: 'Own server',
      server: { host: 'mail.acme.test', hasPassword: true },
    });
    const { password: _, ...elsewhere } = { ...server, host: 'mail.evil.test' };
    const moved = await ask('PATCH', `email-profiles/${made.json.data.id}`, { server: elsewhere });
    expect(moved.json.data.server.has_password).toBe(false);
    for (const text of [made.text, listed.text, moved.text, await foyer.printed()])
      expect(text).not.toContain('Geheim');
  });

  it('need org:email-profiles:view and org:email-profiles:manage, in this organization', async () => {
    const member = await organization.join('member');
    const { id } = (await make('Guarded')).json.data;
    const attempts: [method: string, path: string, body?: object][] = [
      ['GET', 'email-profiles'],
      ['POST', 'email-profiles', { name: 'Mine', ...sender }],
      ['PATCH', `email-profiles/${id}`, { name: 'Mine' }],
      ['DELETE', `email-profiles/${id}`],
      ['GET', 'email-usages'],
      ['PUT', 'email-usages/user_invite', { profile_id: id }],
      ['DELETE', 'email-usages/user_invite'],
    ];
    for (const [method, path, body] of attempts) {
      expect((await ask(method, path, body, member.headers)).status).toBe(403);
      expect((await ask(method, path, body, {})).status).toBe(401);
      const foreign = await other.ask(organization.admin, method, `/${path}`, body);
      expect(foreign.status).toBe(403);
    }
  });

  it('of another organization are not found', async () => {
    const { json } = await other.ask(other.admin, 'POST', '/email-profiles', { name: 'Theirs', ...sender });
    const { id } = json.data;
    expect((await mapTo(id)).status).toBe(404);
    expect((await ask('PATCH', `email-profiles/${id}`, { name: 'Mine' })).status).toBe(404);
    expect((await ask('DELETE', `email-profiles/${id}`)).status).toBe(404);
  });

  it('are refused with 400 for a second header, an invalid host, and an unknown usage', async () => {
    for (const changes of [
      { from_name: 'Acme\r\nBcc: all@acme.test' },
      { from_address: 'nobody' },
      { server: { host: 'http://mail', port: 25 } },
      { server: { host: '169.254.169.254', port: 25 } },
      { server: { host: 'mail.acme.test', port: 70_000 } },
      { name: '' },
    ])
      expect((await make('Malformed', changes)).status).toBe(400);
    const { id } = (await make('Unmapped')).json.data;
    expect((await mapTo(id, 'newsletter')).status).toBe(400);
  });

  it('decide the sender of an invitation', async () => {
    const { id } = (await make('Festival')).json.data;
    await mailThrough(id, 'user_invite');
    await invite('festival');
    const [mail] = await until('the invitation', async () => {
      const found = (await mailsTo(foyer, emailOf('festival'))) as unknown as Headed[];
      return found.length > 0 && found;
    });
    expect(mail?.from).toMatchObject([{ name: 'Acme Tickets', address: 'tickets@acme.test' }]);
    expect(mail?.replyTo).toMatchObject([{ address: 'help@acme.test' }]);
  });

  it('send in the name of Foyer, with replies to them, when the operator has not allowed their domain', async () => {
    const spoofed = { from_name: 'Big Bank', from_address: 'service@bigbank.test', reply_to: null };
    const { id } = (await make('Spoofed', spoofed)).json.data;
    await organization.join('viewer');
    const reset = { email: emailOf('viewer'), company_code: organization.companyCode };
    for (const [usage, name, causeMail] of [
      ['user_invite', 'spoofed', () => invite('spoofed')],
      ['password_reset', 'viewer', () => send(foyer, 'POST', '/api/v1/auth/password-reset/request', { body: reset })],
    ] as const) {
      await mailThrough(id, usage);
      await causeMail();
      const [mail] = await until(`the mail to ${name}`, async () => {
        const found = (await mailsTo(foyer, emailOf(name))) as unknown as Headed[];
        return found.length > 0 && found;
      });
      expect(mail?.from).toMatchObject([{ name: 'Foyer', address: 'no-reply@foyer.test' }]);
      expect(mail?.replyTo).toMatchObject([{ address: 'service@bigbank.test' }]);
    }
  });

  it('send over a mail server of their own', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'foyer-own-server-'));
    const inbox = await startInbox({ folder, basePath: '/own' });
    try {
      const { hostname: host, port } = new URL(inbox.smtpUrl);
      const { id } = (await make('Own inbox', { server: { host, port: Number(port), tls: false } })).json.data;
      await mailThrough(id, 'user_invite');
      expect((await invite('own')).status).toBe(201);
      const [mail] = await until('the invitation in their inbox', async () => {
        const found = (await (await fetch(new URL('email', inbox.webUrl))).json()) as Headed[];
        return found.length > 0 && found;
      });
      expect(mail?.subject).toBe(`You are invited to OrganizationFixture ${organization.companyCode}`);
      expect(await mailsTo(foyer, emailOf('own'))).toEqual([]);

      // A reset link is worth the rights of its recipient, so it never goes over the organization's own server.
      await mailThrough(id, 'password_reset');
      const body = { email: emailOf('admin'), company_code: organization.companyCode };
      expect((await send(foyer, 'POST', '/api/v1/auth/password-reset/request', { body })).status).toBe(200);
      await until('the reset in the inbox of the server', async () => (await mailsTo(foyer, body.email))[0]);
      expect(await (await fetch(new URL('email', inbox.webUrl))).json()).toHaveLength(1);
    } finally {
      await inbox.stop();
      await rm(folder, { recursive: true, force: true });
    }
  });
});

interface Headed {
  subject: string;
  from: object[];
  replyTo?: object[];
}
