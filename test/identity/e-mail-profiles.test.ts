import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startInbox } from '@foyer/ticketing/simulators/inbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { closeHouse, openHouse, type House } from '../support/house.ts';
import { mailsTo } from '../support/inbox.ts';
import { graphql, send, signIn } from '../support/people.ts';
import { until } from '../support/until.ts';

const acme = '0a0c0000-0000-4000-8000-000000000001';
const borneo = '0a0c0000-0000-4000-8000-000000000002';
const tenancy = `/api/v1/tenancy/organizations/${acme}`;

let house: House;
let admin: Awaited<ReturnType<typeof signIn>>;

beforeAll(async () => {
  house = await openHouse({ LOGIN_FLOOR_MS: '50', MAGIC_LINK_TOKEN_DURATION: '4s', MAIL_FROM_DOMAINS: 'acme.test' });
  admin = await signIn(house, 'orgadmin@acme.test', 'ACME');
});

afterAll(() => closeHouse(house));

const ask = (method: string, path: string, body?: object, headers: Record<string, string> = admin.headers) =>
  send(house, method, `${tenancy}/${path}`, { headers, ...(body && { body }) });
const sender = { from_name: 'Acme Tickets', from_address: 'tickets@acme.test', reply_to: 'help@acme.test' };
const make = (name: string, changes: object = {}) => ask('POST', 'email-profiles', { name, ...sender, ...changes });
const invite = (name: string) =>
  ask('POST', 'invitations', {
    username: `${name}@acme.test`,
    email: `${name}@acme.test`,
    given_name: 'Mei',
    family_name: 'Lim',
  });
const mapTo = (profile_id: string, usage = 'user_invite') => ask('PUT', `email-usages/${usage}`, { profile_id });

/** Runs with another profile for invitations, and puts the house's back. */
async function mailingThrough(profileId: string, usage: 'user_invite' | 'password_reset', run: () => Promise<void>) {
  const { data } = (await ask('GET', 'email-usages')).json;
  expect((await mapTo(profileId, usage)).status).toBe(200);
  try {
    await run();
  } finally {
    await mapTo(data[usage], usage);
  }
}

describe('e-mail profiles', () => {
  it('are there from the first minute, mapped to both usages, over the mail server of the house', async () => {
    const { json } = await ask('GET', 'email-profiles');
    expect(json.data).toEqual([
      {
        id: expect.any(String),
        name: 'House',
        from_name: 'Foyer',
        from_address: 'no-reply@foyer.test',
        reply_to: null,
        server: null,
        usages: ['password_reset', 'user_invite'],
      },
    ]);
    const [{ id }] = json.data;
    expect((await ask('GET', 'email-usages')).json.data).toEqual({ user_invite: id, password_reset: id });
  });

  it('are made, changed and deleted, and the name is used once', async () => {
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

  it('never hand out the password of a mail server, in REST or in GraphQL', async () => {
    const server = { host: 'mail.acme.test', port: 465, username: 'acme', password: 'Geheim-und-lang-1' };
    const made = await make('Own server', { server });
    const shown = { host: 'mail.acme.test', port: 465, tls: true, username: 'acme', has_password: true };
    expect(made.json.data.server).toEqual(shown);

    const listed = await ask('GET', 'email-profiles');
    const document = `query ($id: ID!) { emailProfiles(organizationId: $id) { name server { host hasPassword } } }`;
    const inGraphql = await graphql(house, document, { id: acme }, admin.headers);
    expect(inGraphql.data.emailProfiles).toContainEqual({
      name: 'Own server',
      server: { host: 'mail.acme.test', hasPassword: true },
    });
    const { password: _, ...elsewhere } = { ...server, host: 'mail.evil.test' };
    const moved = await ask('PATCH', `email-profiles/${made.json.data.id}`, { server: elsewhere });
    expect(moved.json.data.server.has_password).toBe(false);
    for (const text of [made.text, listed.text, moved.text, house.printed()]) expect(text).not.toContain('Geheim');
  });

  it('need org:email-profiles:view and org:email-profiles:manage, in this organization', async () => {
    const member = await signIn(house, 'member@acme.test', 'ACME');
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
      const foreign = await send(house, method, `/api/v1/tenancy/organizations/${borneo}/${path}`, {
        headers: admin.headers,
        ...(body && { body }),
      });
      expect(foreign.status).toBe(403);
    }
  });

  it('of another organization are not found', async () => {
    const owner = await signIn(house, 'admin@foyer.test', 'PLATFORM');
    const platform = '/api/v1/tenancy/organizations/00000000-0000-0000-0000-000000000001';
    const { json } = await send(house, 'GET', `${platform}/email-profiles`, { headers: owner.headers });
    const [{ id }] = json.data;
    expect((await mapTo(id)).status).toBe(404);
    expect((await ask('PATCH', `email-profiles/${id}`, { name: 'Mine' })).status).toBe(404);
    expect((await ask('DELETE', `email-profiles/${id}`)).status).toBe(404);
  });

  it('are refused with 400 for a second header, a host that is none, and an unknown usage', async () => {
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

  it('decide in whose name an invitation is sent', async () => {
    const { id } = (await make('Festival')).json.data;
    await mailingThrough(id, 'user_invite', async () => {
      await invite('festival');
      const [mail] = await until('the invitation', async () => {
        const found = (await mailsTo(house, 'festival@acme.test')) as unknown as Headed[];
        return found.length > 0 && found;
      });
      expect(mail?.from).toMatchObject([{ name: 'Acme Tickets', address: 'tickets@acme.test' }]);
      expect(mail?.replyTo).toMatchObject([{ address: 'help@acme.test' }]);
    });
  });

  it('write in the name of the house, with answers to them, from a domain that the operator has not allowed', async () => {
    const spoofed = { from_name: 'Big Bank', from_address: 'service@bigbank.test', reply_to: null };
    const { id } = (await make('Spoofed', spoofed)).json.data;
    for (const [usage, ask] of [
      ['user_invite', () => invite('spoofed')],
      [
        'password_reset',
        () =>
          send(house, 'POST', '/api/v1/auth/password-reset/request', {
            body: { email: 'viewer@acme.test', company_code: 'ACME' },
          }),
      ],
    ] as const)
      await mailingThrough(id, usage, async () => {
        await ask();
        const to = usage === 'user_invite' ? 'spoofed@acme.test' : 'viewer@acme.test';
        const [mail] = await until(`the mail to ${to}`, async () => {
          const found = (await mailsTo(house, to)) as unknown as Headed[];
          return found.length > 0 && found;
        });
        expect(mail?.from).toMatchObject([{ name: 'Foyer', address: 'no-reply@foyer.test' }]);
        expect(mail?.replyTo).toMatchObject([{ address: 'service@bigbank.test' }]);
      });
  });

  it('send over a mail server of their own', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'foyer-own-server-'));
    const inbox = await startInbox({ folder, basePath: '/own' });
    try {
      const { hostname: host, port } = new URL(inbox.smtpUrl);
      const { id } = (await make('Own inbox', { server: { host, port: Number(port), tls: false } })).json.data;
      await mailingThrough(id, 'user_invite', async () => {
        expect((await invite('own')).status).toBe(201);
        const [mail] = await until('the invitation in their inbox', async () => {
          const found = (await (await fetch(new URL('email', inbox.webUrl))).json()) as Headed[];
          return found.length > 0 && found;
        });
        expect(mail?.subject).toBe('You are invited to Acme Attractions');
      });
      expect(await mailsTo(house, 'own@acme.test')).toEqual([]);

      // A reset link is worth the rights of whom it is for: it never goes over a server of the organization's.
      await mailingThrough(id, 'password_reset', async () => {
        const asked = { email: 'orgadmin@acme.test', company_code: 'ACME' };
        expect((await send(house, 'POST', '/api/v1/auth/password-reset/request', { body: asked })).status).toBe(200);
        await until('the reset in the inbox of the house', async () => (await mailsTo(house, asked.email))[0]);
        expect(await (await fetch(new URL('email', inbox.webUrl))).json()).toHaveLength(1);
      });
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

describe('a magic link whose time (MAGIC_LINK_TOKEN_DURATION) is over', () => {
  it('is not redeemed, and says so', async () => {
    await invite('late');
    const mail = await until('the invitation', async () => (await mailsTo(house, 'late@acme.test'))[0]);
    const token = /token=([\w-]+)/.exec(mail.text)?.[1] ?? '';
    const status = async () => (await send(house, 'GET', `/auth/magic-link/status?token=${token}`)).json.status;
    await until('the end of its time', async () => (await status()) === 'expired');

    const late = await send(house, 'POST', '/auth/magic-link/redeem', { body: { token } });

    expect([late.status, late.json.code]).toEqual([401, 'MAGIC_LINK_EXPIRED']);
  });
});
