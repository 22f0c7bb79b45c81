import { beforeAll, describe, expect, it } from 'vitest';

import { mailsTo } from '../../support/servers/inbox.ts';
import { openMail } from '../../support/fixtures/mail-profiles.ts';
import { createOrganization, type OrganizationFixture } from '../../support/fixtures/organization.ts';
import { DEMO_PASSWORD, send } from '../../support/fixtures/people.ts';
import { sharedServer, type SharedServer } from '../../support/servers/shared-server.ts';
import { until } from '../../support/until.ts';

const NEXT_PASSWORD = 'Another-Secret-2';

/** A server with rate limits. */
let server: SharedServer;
let organization: OrganizationFixture;

beforeAll(async () => {
  server = await sharedServer('strict');
  organization = await createOrganization(server);
  await openMail(organization);
});

const emailOf = (name: string) => `${name}@${organization.companyCode.toLowerCase()}.test`;
const login = (username: string, password: string) =>
  send(server, 'POST', '/api/v1/login', {
    headers: { 'service-platform': 'mobile' },
    body: { username, password, company_code: organization.companyCode },
  });
const change = (token: string, body: object) =>
  send(server, 'POST', '/api/v1/protected/password', { headers: { authorization: `Bearer ${token}` }, body });
const refresh = (refresh_token: string) =>
  send(server, 'POST', '/api/v1/refresh', { body: { client_type: 'mobile', refresh_token } });
const request = (email: string, company_code = organization.companyCode.toLowerCase(), address = '198.51.100.1') =>
  send(server, 'POST', '/api/v1/auth/password-reset/request', {
    headers: { 'x-forwarded-for': address },
    body: { email, company_code },
  });
const confirm = (token: string, password = NEXT_PASSWORD) =>
  send(server, 'POST', '/api/v1/auth/password-reset/confirm', { body: { token, password } });

/** The link in the newest mail to a person, once there are so many mails. */
async function tokenFor(email: string, count = 1): Promise<string> {
  const mails = await until(`mail ${count} to ${email}`, async () => {
    const found = await mailsTo(server, email);
    return found.length >= count && found;
  });
  return /token=([\w-]+)/.exec(mails.at(-1)?.text ?? '')?.[1] ?? '';
}

/** Somebody who has redeemed an invitation and must choose a password. */
async function newUser(name: string) {
  const email = emailOf(name);
  const person = { username: email, email, given_name: 'Mei', family_name: 'Lim' };
  expect((await organization.ask(organization.admin, 'POST', '/invitations', person)).status).toBe(201);
  const token = await tokenFor(email);
  const { json } = await send(server, 'POST', '/auth/magic-link/redeem', {
    headers: { 'service-platform': 'mobile' },
    body: { token },
  });
  return { email, access: String(json.access_token), refresh: String(json.refresh_token) };
}

/** A person with a password, and the number of their mails. */
async function settled(name: string) {
  const { email, access, refresh } = await newUser(name);
  expect((await change(access, { current_password: '', new_password: DEMO_PASSWORD })).status).toBe(200);
  return { email, access, refresh, mails: 1 };
}

describe('the forced password change', () => {
  it('accepts an empty current password once, and then the person logs in with the new one', async () => {
    const { email, access } = await newUser('forced');

    expect((await change(access, { current_password: '', new_password: NEXT_PASSWORD })).json).toEqual({
      success: true,
    });

    const { status, json } = await login(email, NEXT_PASSWORD);
    expect([status, json.password_change_required]).toEqual([200, false]);
    const again = await change(access, { current_password: '', new_password: 'Yet-Another-3' });
    expect([again.status, again.json.code]).toEqual([400, 'CURRENT_PASSWORD_REQUIRED']);
  });

  it('accepts an empty current password of exactly one of five at the same time', async () => {
    const { email, access } = await newUser('hurried');
    const wanted = [1, 2, 3, 4, 5].map((number) => `Hurried-Secret-${number}`);

    const answers = await Promise.all(wanted.map((new_password) => change(access, { new_password })));

    const won = wanted.filter((_, index) => answers[index]?.status === 200);
    expect(won).toHaveLength(1);
    expect((await login(email, won[0] ?? '')).status).toBe(200);
  });

  it.each([
    ['Sh0rt!', 'The password is too short.'],
    ['no-capitals-1', 'The password needs an upper-case letter.'],
    ['NO-SMALL-1', 'The password needs a lower-case letter.'],
    ['No-digits', 'The password needs a digit.'],
    ['NoSymbols1', 'The password needs a symbol.'],
  ])('refuses %s with the rule, and still forces the change', async (password, message) => {
    const { access } = await newUser(`simple-${password.toLowerCase().replaceAll(/[^a-z]/g, '')}`);
    const { status, json } = await change(access, { new_password: password });
    expect(json).toMatchObject({ success: false, code: 'PASSWORD_TOO_SIMPLE', message });
    expect(status).toBe(400);
    expect((await change(access, { new_password: NEXT_PASSWORD })).status).toBe(200);
  });
});

describe('changing a password', () => {
  it('needs the current one, and ends every other session', async () => {
    const { email, access, refresh: mine } = await settled('changing');
    const other = (await login(email, DEMO_PASSWORD)).json;

    const missing = await change(access, { new_password: NEXT_PASSWORD });
    const wrong = await change(access, { current_password: 'Wrong-Secret-1', new_password: NEXT_PASSWORD });
    const same = await change(access, { current_password: DEMO_PASSWORD, new_password: DEMO_PASSWORD });
    expect([missing, wrong, same].map(({ status, json }) => [status, json.code])).toEqual([
      [400, 'CURRENT_PASSWORD_REQUIRED'],
      [401, 'INVALID_CREDENTIALS'],
      [400, 'PASSWORD_UNCHANGED'],
    ]);
    expect((await login(email, DEMO_PASSWORD)).status).toBe(200);

    expect((await change(access, { current_password: DEMO_PASSWORD, new_password: NEXT_PASSWORD })).status).toBe(200);

    expect((await refresh(other.refresh_token)).status).toBe(401);
    expect((await refresh(mine)).status).toBe(200);
    expect((await login(email, DEMO_PASSWORD)).status).toBe(401);
    expect((await login(email, NEXT_PASSWORD)).status).toBe(200);
  });

  it('is refused after ten wrong guesses of the current one', async () => {
    const { access } = await settled('guessing');
    const answers = [];
    for (let guess = 0; guess < 11; guess++)
      answers.push(await change(access, { current_password: `Wrong-Secret-${guess}`, new_password: NEXT_PASSWORD }));
    expect(answers.map(({ status }) => status)).toEqual([...Array(10).fill(401), 429]);
    expect(Number(answers.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('needs a session', async () => {
    const { status } = await send(server, 'POST', '/api/v1/protected/password', {
      body: { current_password: '', new_password: NEXT_PASSWORD },
    });
    expect(status).toBe(401);
    const { access } = await newUser('signedout');
    await send(server, 'POST', '/api/v1/protected/logout', { headers: { authorization: `Bearer ${access}` } });
    expect((await change(access, { new_password: NEXT_PASSWORD })).status).toBe(401);
  });
});

describe('a forgotten password', () => {
  it('is requested with the same answer for a member, a stranger and a wrong company, and only a member gets a mail', async () => {
    const [member, stranger, elsewhere] = [emailOf('member'), emailOf('stranger'), emailOf('elsewhere')];
    for (const name of ['member', 'elsewhere']) await organization.join(name);
    const answers = [await request(member), await request(stranger), await request(elsewhere, 'BORNEO')];
    for (const { status, json } of answers) {
      expect(status).toBe(200);
      expect(json).toEqual({ success: true });
    }
    await tokenFor(member);
    expect(await mailsTo(server, stranger)).toEqual([]);
    expect(await mailsTo(server, elsewhere)).toEqual([]);
  });

  it('is replaced on the server’s own page when no other is configured', async () => {
    const usual = await sharedServer();
    const { companyCode } = await createOrganization(usual);
    const email = `admin@${companyCode.toLowerCase()}.test`;
    await send(usual, 'POST', '/api/v1/auth/password-reset/request', { body: { email, company_code: companyCode } });
    const [mail] = await until(`a mail to ${email}`, async () => {
      const found = await mailsTo(usual, email);
      return found.length > 0 && found;
    });
    expect(mail?.html).toContain(`${usual.url}/reset-password?token=`);
  });

  it('is replaced with the link, which ends every session', async () => {
    const { email, access, refresh: session, mails } = await settled('forgetful');
    await request(email.toUpperCase());
    const token = await tokenFor(email, mails + 1);
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);

    expect((await confirm(token)).json).toEqual({ success: true });

    expect((await refresh(session)).status).toBe(401);
    const headers = { authorization: `Bearer ${access}` };
    await until('the access token to end', async () => {
      const { status } = await send(server, 'GET', '/api/v1/identity/users/me', { headers });
      return status === 401;
    });
    expect((await login(email, DEMO_PASSWORD)).status).toBe(401);
    expect((await login(email, NEXT_PASSWORD)).status).toBe(200);
    expect(await server.printed()).not.toContain(token);
  });

  it('can also be requested by a person who redeemed a link and never chose one', async () => {
    const { email } = await newUser('lost');
    await request(email);
    expect((await confirm(await tokenFor(email, 2))).status).toBe(200);
    const { status, json } = await login(email, NEXT_PASSWORD);
    expect([status, json.password_change_required]).toEqual([200, false]);
  });

  it('is replaced by exactly one of ten at the same time', async () => {
    const { email, mails } = await settled('raced');
    await request(email);
    const token = await tokenFor(email, mails + 1);
    const wanted = Array.from({ length: 10 }, (_, number) => `Raced-Secret-${number}`);

    const answers = await Promise.all(wanted.map((password) => confirm(token, password)));

    const won = wanted.filter((_, index) => answers[index]?.status === 200);
    expect(won).toHaveLength(1);
    expect(answers.filter(({ json }) => json.code === 'PASSWORD_RESET_INVALID')).toHaveLength(9);
    expect((await login(email, won[0] ?? '')).status).toBe(200);
  });

  it('leaves the link valid when the new password is too simple', async () => {
    const { email, mails } = await settled('simple');
    await request(email);
    const token = await tokenFor(email, mails + 1);
    const refused = await confirm(token, 'simple');
    expect([refused.status, refused.json.code]).toEqual([400, 'PASSWORD_TOO_SIMPLE']);
    expect((await confirm(token)).status).toBe(200);
  });

  it('has one link at a time', async () => {
    const { email, mails } = await settled('twice');
    await request(email);
    const first = await tokenFor(email, mails + 1);
    await request(email);
    const second = await tokenFor(email, mails + 2);
    const refused = await confirm(first);
    expect([refused.status, refused.json.code]).toEqual([400, 'PASSWORD_RESET_INVALID']);
    expect((await confirm(second)).status).toBe(200);
  });

  it('is mailed three times in a quarter of an hour, and answered 200 the fourth time', async () => {
    const { email, mails } = await settled('impatient');
    for (let time = 0; time < 4; time++) expect((await request(email)).status).toBe(200);
    const later = await settled('later'); // mails that come after all that are on their way
    await request(later.email);
    await tokenFor(later.email, later.mails + 1);
    expect(await mailsTo(server, email)).toHaveLength(mails + 3);
  });

  it('comes although others have requested it under a company code that is not theirs', async () => {
    const { email, mails } = await settled('suppressed');
    for (let time = 0; time < 5; time++) expect((await request(email, 'NOWHERE', '198.51.100.2')).status).toBe(200);
    await request(email, organization.companyCode, '198.51.100.2');
    expect(await tokenFor(email, mails + 1)).not.toBe('');
  });

  it('lets its owner log in at once, however often others have failed in their name', async () => {
    const { email, mails } = await settled('guessed');
    for (let count = 0; count < 10; count++) await login(email, `Wrong-password-${count}`);
    expect((await login(email, DEMO_PASSWORD)).status).toBe(429);
    await request(email, organization.companyCode, '198.51.100.2');
    expect((await confirm(await tokenFor(email, mails + 1), 'Another-password-3')).status).toBe(200);
    expect((await login(email, 'Another-password-3')).status).toBe(200);
  });

  it('is mailed for twenty requests from one address, and answered 200 without a mail from then on', async () => {
    const { email, mails } = await settled('flooded');
    for (let time = 0; time < 20; time++)
      await request(emailOf(`stranger${time}`), organization.companyCode, '198.51.100.99');
    const beyond = await request(email, organization.companyCode, '198.51.100.99');
    expect([beyond.status, beyond.json]).toEqual([200, { success: true }]);
    await request(email, organization.companyCode, '198.51.100.3'); // its mail comes after all that are on their way
    await tokenFor(email, mails + 1);
    expect(await mailsTo(server, email)).toHaveLength(mails + 1);
  });

  it.each([
    ['an empty body', '{}'],
    ['no address', '{"email":null,"company_code":"ACME"}'],
    ['a list as its body', '[]'],
    ['what is not JSON', '{"email":'],
    ['more than a body may have', `{"email":"${'x'.repeat(3_000_000)}"}`],
  ])('answers 200 to a request with %s, and does nothing', async (_what, body) => {
    const url = `${server.url}/api/v1/auth/password-reset/request`;
    const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    expect([answer.status, await answer.json()]).toEqual([200, { success: true }]);
  });

  it('is confirmed with 400 for what is malformed', async () => {
    expect((await confirm('', NEXT_PASSWORD)).status).toBe(400);
    expect((await confirm('x'.repeat(43))).json.code).toBe('PASSWORD_RESET_INVALID');
  });
});
