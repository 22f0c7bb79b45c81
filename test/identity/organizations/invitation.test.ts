import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';

import { decodeJwt } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';

import { mailsTo } from '../../support/servers/inbox.ts';
import { openMail } from '../../support/fixtures/mail-profiles.ts';
import { createOrganization, type OrganizationFixture } from '../../support/fixtures/organization.ts';
import { DEMO_PASSWORD, graphql, send } from '../../support/fixtures/people.ts';
import { sharedServer, type SharedServer } from '../../support/servers/shared-server.ts';
import { FRONTEND_URL } from '../../support/servers/shared-settings.ts';
import { until } from '../../support/until.ts';

const invitationsOf = (organizationId: string) => `/api/v1/tenancy/organizations/${organizationId}/invitations`;
const mobile = { 'service-platform': 'mobile' };

let foyer: SharedServer;
let fixture: OrganizationFixture;
let other: OrganizationFixture;

/** Opens two organizations on this server, of which one may invite. */
async function beginOn(server: SharedServer) {
  foyer = server;
  [fixture, other] = [await createOrganization(foyer), await createOrganization(foyer)];
  await openMail(fixture);
}

const emailOf = (name: string) => `${name}@${fixture.companyCode.toLowerCase()}.test`;
const someone = (name: string) => ({
  username: emailOf(name),
  given_name: 'Mei',
  family_name: 'Lim',
  email: emailOf(name),
});
const invite = (name: string, changes: object = {}, who: { headers: Record<string, string> } = fixture.admin) =>
  fixture.ask(who, 'POST', '/invitations', { ...someone(name), ...changes });
const reinvite = (userId: string) => fixture.ask(fixture.admin, 'POST', `/users/${userId}/reinvite`);

/** The token in the newest link to an address, once there are so many mails. */
async function tokenFor(email: string, count = 1): Promise<string> {
  const mails = await until(`invitation ${count} to ${email}`, async () => {
    const found = await mailsTo(foyer, email);
    return found.length >= count && found;
  });
  const tokens = mails.map(({ text }) => /magic-link\?token=([\w-]+)/.exec(text)?.[1] ?? '');
  return tokens.at(-1) ?? '';
}

/** An invited person, and the token of the link. */
async function invited(name: string) {
  const { status, json } = await invite(name);
  expect(status).toBe(201);
  return { id: String(json.user.id), token: await tokenFor(emailOf(name)) };
}

const peek = (token: string) => send(foyer, 'GET', `/api/v1/auth/magic-link/status?token=${token}`);
const redeem = (token: string, headers: Record<string, string> = mobile) =>
  send(foyer, 'POST', '/api/v1/auth/magic-link/redeem', { headers, body: { token } });

describe('inviting somebody', () => {
  beforeAll(async () => beginOn(await sharedServer('strict'))); // whose AUTH_FRONTEND_URL is not its own address

  it('makes an ORG_MEMBER, whatever role is requested, and mails a link of AUTH_FRONTEND_URL', async () => {
    const { status, json } = await send(foyer, 'POST', invitationsOf(fixture.id), {
      headers: { ...fixture.admin.headers, 'x-forwarded-host': 'evil.test' },
      body: { ...someone('first'), role: 'ORG_OWNER' },
    });
    expect(status).toBe(201);
    expect(json).toEqual({
      success: true,
      user: {
        id: expect.any(String),
        username: emailOf('first'),
        email: emailOf('first'),
        first_name: 'Mei',
        last_name: 'Lim',
        role: 'ORG_MEMBER',
        account_state: 'invited',
      },
    });

    const token = await tokenFor(emailOf('first'));
    const [mail] = await mailsTo(foyer, emailOf('first'));
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    expect(mail?.html).toContain(`${FRONTEND_URL}/auth/magic-link?token=${token}`);
    expect(mail?.text).toContain('10 minutes');
    expect(await foyer.printed()).not.toContain(token);

    const { json: session } = await redeem(token);
    expect((decodeJwt(session.access_token)['org'] as { role: string }).role).toBe('ORG_MEMBER');
  });

  it('sends the mail in the name of the profile, which it escapes', async () => {
    await invite('escaped', { given_name: '<b>Mei</b>' });
    await tokenFor(emailOf('escaped'));
    const [mail] = await mailsTo(foyer, emailOf('escaped'));
    expect(mail?.html).toContain('&lt;b&gt;Mei&lt;/b&gt;');
    expect(mail?.html).not.toContain('<b>Mei</b>');
  });

  it('needs org:users:invite, in this organization', async () => {
    const member = await fixture.join('member');
    expect((await invite('nobody', {}, member)).status).toBe(403);
    expect((await invite('nobody', {}, { headers: {} })).status).toBe(401);
    const elsewhere = await other.ask(fixture.admin, 'POST', '/invitations', someone('nobody'));
    expect(elsewhere.status).toBe(403);
    expect(await mailsTo(foyer, emailOf('nobody'))).toEqual([]);
  });

  it('is refused with 400 unless a profile is mapped to user_invite', async () => {
    const { json } = await fixture.ask(fixture.admin, 'GET', '/email-usages');
    await fixture.ask(fixture.admin, 'DELETE', '/email-usages/user_invite');

    const refused = await invite('unmapped');

    expect([refused.status, refused.json.code]).toEqual([400, 'EMAIL_PROFILE_MISSING']);
    await fixture.ask(fixture.admin, 'PUT', '/email-usages/user_invite', { profile_id: json.data.user_invite });
    expect((await invite('unmapped')).status).toBe(201);
  });

  it('is refused with 409 for a taken user name or address', async () => {
    await invite('taken');
    const sameAddress = await invite('other', { email: emailOf('TAKEN') });
    const sameName = await invite('another', { username: emailOf('taken') });
    expect([sameAddress.status, sameAddress.json.code]).toEqual([409, 'EMAIL_TAKEN']);
    expect([sameName.status, sameName.json.code]).toEqual([409, 'USERNAME_TAKEN']);
  });

  it('is refused with 400 for an address that is invalid, too long, or missing', async () => {
    for (const changes of [{ email: 'nonsense' }, { username: 'x'.repeat(201) }, { given_name: '' }, { username: 7 }])
      expect((await invite('malformed', changes)).status).toBe(400);
  });

  it('lets nobody log in before the link is redeemed', async () => {
    await invited('early');
    const { status, json } = await send(foyer, 'POST', '/api/v1/login', {
      body: { username: emailOf('early'), password: DEMO_PASSWORD, company_code: fixture.companyCode },
    });
    expect([status, json.code]).toEqual([401, 'INVALID_CREDENTIALS']);
  });
});

describe('the links in mails', () => {
  beforeAll(async () => beginOn(await sharedServer('strict')));

  /** As through a trusted proxy that forwards a made-up host of the client; `fetch` sends only the real one. */
  async function pretending(path: string, headers: Record<string, string>, body: object): Promise<number | undefined> {
    const forged = {
      host: 'evil.test',
      'x-forwarded-host': 'evil.test',
      'x-forwarded-proto': 'http',
      forwarded: 'host=evil.test;proto=http',
    };
    const json = { 'content-type': 'application/json' };
    const sent = request(new URL(path, foyer.url), { method: 'POST', headers: { ...headers, ...json, ...forged } });
    sent.end(JSON.stringify(body));
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    answer.resume();
    return answer.statusCode;
  }

  const reset = '/api/v1/auth/password-reset/request';

  it.each([
    ['an invitation', 'magic-link', () => [invitationsOf(fixture.id), someone('forged')] as const, 'forged'],
    [
      'a reset',
      'reset-password',
      () => [reset, { email: emailOf('admin'), company_code: fixture.companyCode }] as const,
      'admin',
    ],
  ])('of %s are of AUTH_FRONTEND_URL, whatever host was called', async (_what, page, requestOf, name) => {
    const [path, body] = requestOf();
    const email = emailOf(name);
    expect([200, 201, 202]).toContain(await pretending(path, fixture.admin.headers, body));
    const mail = await until(`mail to ${email}`, async () => (await mailsTo(foyer, email))[0]);
    for (const written of [mail.html, mail.text]) {
      const links = written.match(/https?:[^\s"'<>]+/g) ?? [];
      expect(links.some((link) => link.includes(`${page}?token=`))).toBe(true);
      expect(links.filter((link) => !link.startsWith(`${FRONTEND_URL}/`))).toEqual([]);
      expect(written).not.toContain('evil.test');
    }
  });
});

describe('inviting again', () => {
  beforeAll(async () => beginOn(await sharedServer()));

  it('sends a new link, and voids the previous one', async () => {
    const { id, token } = await invited('again');
    expect((await reinvite(id)).status).toBe(200);
    const next = await tokenFor(emailOf('again'), 2);

    expect((await redeem(token)).json.code).toBe('MAGIC_LINK_INVALID');
    expect((await redeem(next)).status).toBe(200);
  });

  it('is refused with 409 once the link was redeemed', async () => {
    const { id, token } = await invited('done');
    await redeem(token);
    const { status, json } = await reinvite(id);
    expect([status, json.code]).toEqual([409, 'USER_NOT_INVITED']);
  });

  it('finds nobody of another organization', async () => {
    expect((await reinvite('00000000-0000-4000-8000-000000000009')).status).toBe(404);
    const { status, json: refusal } = await reinvite(other.admin.id);
    expect([status, refusal.code]).toEqual([404, 'USER_NOT_FOUND']);
  });
});

describe('a magic link', () => {
  it('can be read without being used, under both paths', async () => {
    const { token } = await invited('peek');
    const seen = await peek(token);
    expect(seen.json).toEqual({
      success: true,
      valid: true,
      status: 'valid',
      expires_at: expect.any(String),
      email: emailOf('peek'),
      username: emailOf('peek'),
      organization: { name: `OrganizationFixture ${fixture.companyCode}`, company_code: fixture.companyCode },
    });
    expect((await send(foyer, 'GET', `/auth/magic-link/status?token=${token}`)).json).toEqual(seen.json);
    const minutes = (Date.parse(seen.json.expires_at) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(9);
    expect(minutes).toBeLessThanOrEqual(10);
    expect((await send(foyer, 'POST', '/auth/magic-link/redeem', { body: { token } })).status).toBe(200);
    expect((await peek(token)).json).toEqual({ success: true, valid: false, status: 'invalid', expires_at: null });
  });

  it('logs a browser in by cookies, and a mobile client by the answer, with the forced password change', async () => {
    const web = await redeem((await invited('web')).token, {});
    expect(web.json).toMatchObject({ success: true, expires_in: 900, password_change_required: true });
    expect(web.text).not.toContain('token');
    expect(web.cookies).toHaveLength(2);
    expect(web.cookies[0]).toMatch(/^access_token=.+; HttpOnly/);
    expect(web.cookies[1]).toMatch(/^refresh_token=.+; Path=\/api\/v1; .*HttpOnly/);

    const app = await redeem((await invited('app')).token);
    expect(app.cookies).toEqual([]);
    const headers = { authorization: `Bearer ${app.json.access_token}` };
    const { json } = await send(foyer, 'GET', '/api/v1/identity/users/me', { headers });
    expect(json.org.role).toBe('ORG_MEMBER');
  });

  it('is used by exactly one of ten at the same time', async () => {
    const { token } = await invited('race');
    const answers = await Promise.all(Array.from({ length: 10 }, () => redeem(token)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array(9).fill(401)]);
    expect(new Set(answers.filter(({ status }) => status === 401).map(({ json }) => json.code))).toEqual(
      new Set(['MAGIC_LINK_INVALID']),
    );
  });

  it('reveals nothing of an unknown token', async () => {
    expect((await peek('x'.repeat(43))).json).toEqual({
      success: true,
      valid: false,
      status: 'invalid',
      expires_at: null,
    });
    expect((await redeem('x'.repeat(43))).json.code).toBe('MAGIC_LINK_INVALID');
    expect((await redeem('x'.repeat(5_000))).status).toBe(400);
    expect((await send(foyer, 'GET', '/auth/magic-link/status')).status).toBe(400);
  });

  it('works in GraphQL, too', async () => {
    const { token } = await invited('graph');
    const document = `mutation ($input: RedeemMagicLinkInput!) {
      redeemMagicLink(input: $input) { accessToken passwordChangeRequired user { email } } }`;
    const { data } = await graphql(foyer, document, { input: { token, platform: 'MOBILE' } });
    expect(data.redeemMagicLink).toEqual({
      accessToken: expect.any(String),
      passwordChangeRequired: true,
      user: { email: emailOf('graph') },
    });
  });
});
