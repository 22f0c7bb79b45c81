import { randomUUID } from 'node:crypto';

import { beforeAll, describe, expect, it } from 'vitest';

import { logInCustomer, newAddress, newCustomer, tokenIn } from '../support/fixtures/customers.ts';
import { linkFor, mailsTo } from '../support/servers/inbox.ts';
import { legacyToken } from '../support/fixtures/legacy-tokens.ts';
import { follow } from '../support/follow.ts';
import { createOrganization } from '../support/fixtures/organization.ts';
import { graphql, send, logIn } from '../support/fixtures/people.ts';
import { sharedServer, type SharedServer } from '../support/servers/shared-server.ts';
import { acmeAdmin, aGuest, ask, nobody, onSale, orderInput, refusalOf } from '../support/fixtures/storefront.ts';
import { until } from '../support/until.ts';

let server: SharedServer;
beforeAll(async () => {
  server = await sharedServer();
});

type Bearer = { headers: Record<string, string> };

/** The answers to a token, over REST and GraphQL. */
async function opens(bearer: Bearer) {
  const rest = await send(server, 'GET', '/api/orderTicketGroups', bearer);
  const query = await graphql(server, '{ myOrders { totalCount } }', {}, bearer.headers);
  const refused = query.errors?.[0]?.extensions.code ?? query.status;
  return [rest.status, refused];
}
const good = [200, 200];
const refused = [401, 'UNAUTHENTICATED'];

async function anotherSession({ email, password }: { email: string; password: string }): Promise<Bearer> {
  const { data } = await logInCustomer(server, email, password);
  return { headers: { authorization: `Bearer ${data.loginCustomer.token}` } };
}

const CREATE = `mutation ($input: CreateOrderInput!) { createOrder(input: $input) { orderNo } }`;
const LOGOUT = 'mutation ($everywhere: Boolean!) { logoutCustomer(everywhere: $everywhere) }';
const CHANGE = `mutation ($currentPassword: String!, $newPassword: String!) {
  changeCustomerPassword(currentPassword: $currentPassword, newPassword: $newPassword) }`;
const REQUEST = `mutation ($email: String!) { requestCustomerPasswordReset(email: $email, langChosen: "EN") { expiresIn } }`;
const RESET = `mutation ($token: String!, $password: String!) {
  confirmCustomerPasswordReset(token: $token, password: $password) }`;
const DISABLE = `mutation ($custId: ID!, $isDisabled: Boolean!) {
  setCustomerDisabled(custId: $custId, isDisabled: $isDisabled) { custId } }`;

describe('the session of a customer', () => {
  it('ends with a logout, and no other session does', async () => {
    const customer = await newCustomer(server);
    const other = await anotherSession(customer);
    expect(await opens(customer)).toEqual(good);

    expect(await ask(server, customer, LOGOUT, { everywhere: false })).toBe(true);
    await expect.poll(() => opens(customer)).toEqual(refused);
    expect(await opens(other)).toEqual(good);
  });

  it('ends with all others when the customer logs out everywhere, including tokens of the legacy system', async () => {
    const customer = await newCustomer(server);
    const other = await anotherSession(customer);
    // Its time of issue is in whole seconds: a token of the second in which the account was claimed is too old.
    const legacy = await until('a token of the legacy half', async () => {
      const iat = Math.floor(Date.now() / 1_000);
      const token = await legacyToken(server, { role: 'CUSTOMER', custId: customer.custId, iat });
      const bearer = { headers: { authorization: `Bearer ${token}` } };
      return (await opens(bearer))[0] === 200 && bearer;
    });

    await ask(server, customer, LOGOUT, { everywhere: true });
    for (const bearer of [customer, other, legacy]) await expect.poll(() => opens(bearer)).toEqual(refused);
    expect(await opens(await anotherSession(customer))).toEqual(good);
  });

  it('does not turn a repeated order into a guest’s after it has ended: a key without custId needs a valid token, or none', async () => {
    const customer = await newCustomer(server);
    const { custId: _left, ...input } = orderInput(await onSale(server, await acmeAdmin(server)), customer.custId);
    const body = { ...input, ticketGroupId: Number(input.ticketGroupId) };
    const places = async (headers: Record<string, string>, path = '') => {
      const { status, json } = await send(server, 'POST', `/api/orderTicketGroup${path}`, { headers, body });
      return [status, json.code];
    };
    const key = { 'idempotency-key': randomUUID() };
    expect(await places({ ...customer.headers, ...key })).toEqual([200, undefined]);
    await ask(server, customer, LOGOUT, { everywhere: false });
    await expect.poll(() => opens(customer)).toEqual(refused);

    expect(await places({ ...customer.headers, ...key })).toEqual([401, 'UNAUTHENTICATED']);
    expect(await places({ ...customer.headers, ...key }, '/free')).toEqual([401, 'UNAUTHENTICATED']);
    expect(await places(customer.headers)).toEqual([200, undefined]);
    expect(await places(key)).toEqual([200, undefined]);
  });

  it('must exist: a token with another session is refused', async () => {
    const { custId } = await newCustomer(server);
    for (const sid of ['0a0c0000-0000-4000-8000-00000000dead', 'nonsense']) {
      const token = await legacyToken(server, { role: 'CUSTOMER', custId, sid });
      expect(await opens({ headers: { authorization: `Bearer ${token}` } })).toEqual(refused);
    }
  });
});

describe('a customer who is disabled', () => {
  it('is refused everywhere with every token, can not log in, and can again after being enabled', async () => {
    const customer = await newCustomer(server);
    const legacy = {
      headers: { authorization: `Bearer ${await legacyToken(server, { role: 'CUSTOMER', custId: customer.custId })}` },
    };
    const platform = await logIn(server, 'admin@foyer.test', 'PLATFORM');
    await ask(server, platform, DISABLE, { custId: customer.custId, isDisabled: true });

    for (const bearer of [customer, legacy]) await expect.poll(() => opens(bearer)).toEqual(refused);
    expect((await logInCustomer(server, customer.email, customer.password)).errors[0].extensions.reason).toBe(
      'ACCOUNT_DISABLED',
    );
    expect((await logInCustomer(server, customer.email, 'Wrong-password-1')).errors[0].extensions.reason).toBe(
      'INVALID_CREDENTIALS',
    );

    await ask(server, platform, DISABLE, { custId: customer.custId, isDisabled: false });
    expect(await opens(await anotherSession(customer))).toEqual(good);
  });

  it('gets no more events: the streams of their token end', async () => {
    const customer = await newCustomer(server);
    const group = await onSale(server, await acmeAdmin(server));
    const { orderNo } = await ask(server, customer, CREATE, { input: orderInput(group, customer.custId) });
    const query = 'subscription ($orderNo: String!) { orderStatusChanged(orderNo: $orderNo) { transactionStatus } }';
    const stream = follow(server, query, { orderNo }, customer.headers);
    expect(await stream.next()).toEqual({ transactionStatus: 'INITIATED' });

    const platform = await logIn(server, 'admin@foyer.test', 'PLATFORM');
    const next = stream.next().then(
      () => 'told',
      () => 'ended',
    );
    await ask(server, platform, DISABLE, { custId: customer.custId, isDisabled: true });
    expect(await next).toBe('ended');
  });

  it('is disabled by the platform only', async () => {
    const { custId, ...customer } = await newCustomer(server);
    const wanted = { custId, isDisabled: true };
    expect(await refusalOf(server, customer, DISABLE, wanted)).toBe('FORBIDDEN');
    expect(await refusalOf(server, await acmeAdmin(server), DISABLE, wanted)).toBe('FORBIDDEN');
    expect(await refusalOf(server, nobody, DISABLE, wanted)).toBe('UNAUTHENTICATED');
  });
});

describe('a password that a customer forgot', () => {
  const resetLink = (email: string) => linkFor(server, email, '/account/reset-password');

  it('is replaced by a link, in one of many uses, and every session ends', async () => {
    const customer = await newCustomer(server);
    await ask(server, nobody, REQUEST, { email: customer.email.toUpperCase() });
    const token = tokenIn(await resetLink(customer.email));

    const passwords = Array.from({ length: 4 }, (_, at) => `Number-password-${at}`);
    const answers = await Promise.all(passwords.map((password) => graphql(server, RESET, { token, password })));
    const reasons: string[] = answers.map(({ errors }) => errors?.[0].extensions.reason ?? 'done');
    expect(reasons.toSorted()).toEqual([
      'CUSTOMER_LINK_INVALID',
      'CUSTOMER_LINK_INVALID',
      'CUSTOMER_LINK_INVALID',
      'done',
    ]);

    await expect.poll(() => opens(customer)).toEqual(refused);
    expect((await logInCustomer(server, customer.email, customer.password)).errors[0].extensions.reason).toBe(
      'INVALID_CREDENTIALS',
    );
    const chosen = passwords[reasons.indexOf('done')] ?? '';
    expect(await opens(await anotherSession({ ...customer, password: chosen }))).toEqual(good);
  });

  it('is requested with the same answer for everybody, and only a customer gets a mail', async () => {
    const customer = await newCustomer(server);
    const stranger = newAddress();
    const answers = [];
    const staff = (await createOrganization(server)).mail('admin');
    for (const email of [stranger, staff, customer.email]) answers.push(await ask(server, nobody, REQUEST, { email }));
    expect(answers).toEqual([{ expiresIn: 3_600 }, { expiresIn: 3_600 }, { expiresIn: 3_600 }]);

    await resetLink(customer.email);
    expect(await mailsTo(server, stranger)).toEqual([]);
    expect(await mailsTo(server, staff)).toEqual([]);
  });

  it('leaves the link usable when the new one is too simple', async () => {
    const { email } = await newCustomer(server);
    await ask(server, nobody, REQUEST, { email });
    const token = tokenIn(await resetLink(email));
    expect(await refusalOf(server, nobody, RESET, { token, password: 'simple-password' })).toBe('PASSWORD_TOO_SIMPLE');
    expect(await ask(server, nobody, RESET, { token, password: 'Fresh-password-1' })).toBe(true);
  });
});

describe('a password that a customer changes', () => {
  it('requires the current one, ends the other sessions, and keeps this one', async () => {
    const customer = await newCustomer(server);
    const other = await anotherSession(customer);
    const change = (currentPassword: string, newPassword: string) => ({ currentPassword, newPassword });
    expect(await refusalOf(server, customer, CHANGE, change('Wrong-password-1', 'Fresh-password-1'))).toBe(
      'INVALID_CREDENTIALS',
    );
    expect(await refusalOf(server, customer, CHANGE, change(customer.password, customer.password))).toBe(
      'PASSWORD_UNCHANGED',
    );
    expect(await opens(other)).toEqual(good);

    expect(await ask(server, customer, CHANGE, change(customer.password, 'Fresh-password-1'))).toBe(true);
    await expect.poll(() => opens(other)).toEqual(refused);
    expect(await opens(customer)).toEqual(good);
    expect(await opens(await anotherSession({ ...customer, password: 'Fresh-password-1' }))).toEqual(good);
  });

  it('has the same limit on guesses as a login', async () => {
    const limited = await sharedServer('strict');
    const customer = await newCustomer(limited);
    const guesses = Array.from({ length: 12 }, (_, at) =>
      refusalOf(limited, customer, CHANGE, { currentPassword: `Wrong-${at}`, newPassword: 'Fresh-password-1' }),
    );
    const reasons = await Promise.all(guesses);
    expect(reasons.filter((reason) => reason === 'RATE_LIMITED')).toHaveLength(2);
    expect((await logInCustomer(limited, customer.email, customer.password)).errors[0].extensions.reason).toBe(
      'RATE_LIMITED',
    );
  });
});

it('a customer can change only their own profile, and staff is notified', async () => {
  const customer = await newCustomer(server);
  const document = `mutation ($input: CustomerProfileInput!) { updateCustomerProfile(input: $input) { fullName contactNo } }`;
  const fullName = `Renamed ${customer.custId}`;
  const changed = await ask(server, customer, document, { input: { fullName, contactNo: '+60 12-000 0000' } });
  expect(changed).toEqual({ fullName, contactNo: '+60 12-000 0000' });

  const platform = await logIn(server, 'admin@foyer.test', 'PLATFORM');
  const told = await until('the notification', async () => {
    const { json } = await send(server, 'GET', '/api/notifications', platform);
    return (json.data as { type: string; message: string }[]).find(({ message }) => message.includes(fullName));
  });
  expect(told).toMatchObject({
    type: 'Customer',
    message: `${fullName} updated their profile.`,
    authorityLevel: 'CUSTOMER',
  });
  expect(await refusalOf(server, nobody, document, { input: { fullName } })).toBe('UNAUTHENTICATED');
});

it('a guest needs no account to order, and only customers themselves order on their account', async () => {
  const customer = await newCustomer(server);
  const group = await onSale(server, await acmeAdmin(server));
  const forGuest = await ask(server, nobody, CREATE, { input: orderInput(group, await aGuest(server)) });
  expect(forGuest.orderNo).toEqual(expect.any(String));
  const own = orderInput(group, customer.custId);
  expect(await refusalOf(server, nobody, CREATE, { input: own })).toBe('UNAUTHENTICATED');
  expect((await ask(server, customer, CREATE, { input: own })).orderNo).toEqual(expect.any(String));
});
