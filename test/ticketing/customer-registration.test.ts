import { openDatabase, type PrismaClient } from '@foyer/prisma/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { logInCustomer, newAddress, newCustomer, register, tokenIn, verify } from '../support/fixtures/customers.ts';
import { linkFor, mailsTo } from '../support/servers/inbox.ts';
import { createOrganization, PASSWORD, type OrganizationFixture } from '../support/fixtures/organization.ts';
import { send, logIn } from '../support/fixtures/people.ts';
import { sharedServer, type SharedServer } from '../support/servers/shared-server.ts';
import { until } from '../support/until.ts';

let db: PrismaClient;
let server: SharedServer;
let organization: OrganizationFixture;

beforeAll(async () => {
  server = await sharedServer();
  db = openDatabase(server.databaseUrl);
  organization = await createOrganization(server);
});
afterAll(() => db.$disconnect());

const overRest = (email: string, differently: object = {}) =>
  send(server, 'POST', '/auth/register', {
    body: { email, password: 'Registered-1', fullName: 'New Customer', langChosen: 'EN', ...differently },
  });

const newestSubject = async (email: string) => (await mailsTo(server, email)).at(-1)?.subject;
const aCustomersAddress = async () => (await newCustomer(server)).email;

describe('a registration', () => {
  it.each([
    ['an address that nobody has', async () => newAddress(), 'Verify your e-mail address'],
    ['the address of a customer', aCustomersAddress, 'You already have an account'],
    ['the address of a member of staff', async () => organization.mail('admin'), 'Verify your e-mail address'],
  ])('gets the same answer for %s, and the mail contains the difference', async (_whose, whose, subject) => {
    const email = await whose();
    const { status, data, errors } = await register(server, email);
    expect({ status, data, errors }).toEqual({
      status: 200,
      data: { registerCustomer: { expiresIn: 3_600, session: null } },
      errors: undefined,
    });
    await expect.poll(() => newestSubject(email)).toBe(subject);

    const rest = await overRest(email);
    expect([
      rest.status,
      { ...rest.json, token: '', expiresAt: '', customer: { ...rest.json.customer, custId: '', createdAt: '' } },
    ]).toEqual([
      201,
      {
        success: true,
        token: '',
        expiresAt: '',
        customer: {
          custId: '',
          createdAt: '',
          email,
          fullName: 'New Customer',
          contactNo: '',
          identificationNo: '',
          hasLogin: false,
        },
      },
    ]);
  });

  it.each([
    ['bm', 'Sahkan alamat e-mel anda'],
    ['cn', '验证您的电子邮箱'],
  ])('gets a mail in %s to a customer who chose it', async (langChosen, subject) => {
    const email = newAddress();
    await register(server, email, { langChosen });
    await expect.poll(() => newestSubject(email)).toBe(subject);
  });

  it('is refused for a simple password, whoever has the address', async () => {
    const refusals = [];
    for (const email of [newAddress(), await aCustomersAddress(), organization.mail('admin')]) {
      const { errors } = await register(server, email, { password: 'simple-password' });
      refusals.push(errors[0].extensions.reason);
    }
    expect(refusals).toEqual(['PASSWORD_TOO_SIMPLE', 'PASSWORD_TOO_SIMPLE', 'PASSWORD_TOO_SIMPLE']);
  });

  it('owns nothing of an unverified address: it logs nobody in, and its token shows no order of others', async () => {
    const email = newAddress();
    const { json } = await overRest(email);
    const early = await logInCustomer(server, email, 'Registered-1');
    expect(early.errors[0].extensions.reason).toBe('INVALID_CREDENTIALS');
    const headers = { authorization: `Bearer ${json.token}` };
    const orders = await send(server, 'GET', '/api/orderTicketGroups', { headers });
    expect([orders.status, orders.json]).toEqual([200, []]);

    const { data } = await verify(server, tokenIn(await linkFor(server, email, '/account/verify')), 'Chosen-pass-1');
    expect(data.verifyCustomer.customer).toEqual({ custId: json.customer.custId, email, hasLogin: true });
    expect((await logInCustomer(server, email, 'Chosen-pass-1')).errors).toBeUndefined();
    await expect.poll(async () => (await send(server, 'GET', '/api/orderTicketGroups', { headers })).status).toBe(401);
  });

  it('with the address of a member of staff creates a customer beside them: each has a password of their own', async () => {
    await organization.join('viewer');
    const email = organization.mail('viewer');
    await register(server, email);
    const link = await linkFor(server, email, '/account/verify');
    await verify(server, tokenIn(link), 'Shop-password-1');

    expect((await logInCustomer(server, email, 'Shop-password-1')).errors).toBeUndefined();
    expect((await logIn(server, email, organization.companyCode, PASSWORD)).access_token).toEqual(expect.any(String));
    const mobile = await send(server, 'POST', '/api/v1/login', {
      headers: { 'service-platform': 'mobile' },
      body: { username: email, password: PASSWORD },
    });
    expect(mobile.status).toBe(200);
  });
});

describe('an address that is claimed', () => {
  it('belongs to one of two who verify it at the same time, with the password of that one', async () => {
    const email = newAddress();
    await register(server, email);
    const first = await linkFor(server, email, '/account/verify');
    await register(server, email);
    const second = await until('the second mail', async () => {
      const link = await linkFor(server, email, '/account/verify');
      return link !== first && link;
    });

    const passwords = ['First-password-1', 'Second-password-2'];
    const answers = await Promise.all(
      [first, second].map((link, at) => verify(server, tokenIn(link), passwords[at] ?? '')),
    );
    const outcomes: string[] = answers.map(({ errors }) => errors?.[0].extensions.reason ?? 'claimed');
    expect(outcomes.toSorted()).toEqual(['CUSTOMER_LINK_INVALID', 'claimed']);

    const loggedIn = await Promise.all(passwords.map((password) => logInCustomer(server, email, password)));
    expect(loggedIn.map(({ errors }) => (errors ? 'CUSTOMER_LINK_INVALID' : 'claimed'))).toEqual(outcomes);
  });

  it('is claimed once by one link, however many use it', async () => {
    const email = newAddress();
    await register(server, email);
    const token = tokenIn(await linkFor(server, email, '/account/verify'));
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, at) => verify(server, token, `Number-password-${at}`)),
    );
    expect(answers.filter(({ errors }) => !errors)).toHaveLength(1);
  });

  it('is taken from an account that never verified it', async () => {
    const squatter = await newCustomer(server);
    await db.customer.update({ where: { custId: squatter.custId }, data: { emailVerifiedAt: null } });

    await register(server, squatter.email);
    const link = await until('a link to verify', async () => {
      const mails = await mailsTo(server, squatter.email);
      return mails.length > 1 && linkFor(server, squatter.email, '/account/verify');
    });
    expect((await verify(server, tokenIn(link), 'Owner-password-1')).errors).toBeUndefined();

    expect((await logInCustomer(server, squatter.email, squatter.password)).errors[0].extensions.reason).toBe(
      'INVALID_CREDENTIALS',
    );
    const owner = await logInCustomer(server, squatter.email, 'Owner-password-1');
    expect(owner.data.loginCustomer.customer.custId).not.toBe(squatter.custId);
    await expect.poll(async () => (await send(server, 'GET', '/api/orderTicketGroups', squatter)).status).toBe(401);
  });
});

it('a forged link, or one of another kind, verifies nothing', async () => {
  const email = newAddress();
  await register(server, email);
  const token = tokenIn(await linkFor(server, email, '/account/verify'));
  for (const wrong of ['x', token.slice(0, -2), `${token.slice(0, -4)}AAAA`])
    expect((await verify(server, wrong, 'Chosen-pass-1')).errors[0].extensions.reason).toBe('CUSTOMER_LINK_INVALID');
  const reset = await send(server, 'POST', '/graphql', {
    body: {
      query: 'mutation ($token: String!) { confirmCustomerPasswordReset(token: $token, password: "Chosen-pass-1") }',
      variables: { token },
    },
  });
  expect(reset.json.errors[0].extensions.reason).toBe('CUSTOMER_LINK_INVALID');
});

it('the page of the link asks for a password, and opens the account', async () => {
  const email = newAddress();
  await register(server, email);
  const link = await linkFor(server, email, '/account/verify');
  const page = await send(server, 'GET', link);
  expect(page.text).toContain('Verify your e-mail address');
  const form = (newPassword: string) =>
    fetch(new URL('/account/verify', server.url), {
      method: 'POST',
      body: new URLSearchParams({ token: tokenIn(link), newPassword }),
    });
  expect(await (await form('password')).text()).toContain('This password is too simple.');
  expect(await (await form('Chosen-pass-1')).text()).toContain('Your account is ready');
  expect((await logInCustomer(server, email, 'Chosen-pass-1')).errors).toBeUndefined();
  expect(await (await form('Chosen-pass-1')).text()).toContain('This link is not valid any more');
});

it('a network that registers too often has to wait, and one address gets three mails from it', async () => {
  const limited = await sharedServer('strict');
  const email = newAddress();
  const headers = { 'x-forwarded-for': '203.0.113.50' };
  const body = { email, password: 'Registered-1', fullName: 'New Customer' };
  const answers = [];
  for (let count = 0; count < 61; count++)
    answers.push(await send(limited, 'POST', '/auth/register', { headers, body }));
  expect(answers.slice(0, 60).every(({ status }) => status === 201)).toBe(true);
  expect([answers[60]?.status, answers[60]?.json.code]).toEqual([429, 'RATE_LIMITED']);
  await until('three mails', async () => (await mailsTo(limited, email)).length === 3);
  const database = openDatabase(limited.databaseUrl);
  expect(await database.customerLink.count({ where: { customer: { email } } })).toBe(3);
  await database.$disconnect();
});
