import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { payAtTheBank, placeOrder } from '../support/servers/bank.ts';
import { stopServerProcess, startServerProcess, type ServerProcess } from '../support/servers/server-process.ts';
import { follow } from '../support/follow.ts';
import { send, logIn, logInCustomer } from '../support/fixtures/people.ts';
import { noRedis, PASSWORD, startRedisServer, whyNoRedis, type RedisServer } from '../support/servers/redis-server.ts';
import { acmeAdmin, aGuest, day, onSale, orderInput } from '../support/fixtures/storefront.ts';
import { until } from '../support/until.ts';

let redis: RedisServer;
let server: ServerProcess;

beforeAll(async () => {
  if (noRedis) return;
  redis = await startRedisServer();
  server = await startServerProcess({
    LOGIN_FLOOR_MS: '50',
    REDIS_URL: redis.url,
    TRUSTED_PROXIES: '127.0.0.1,::1',
    INQUIRIES_PER_MINUTE: '5',
  });
});
afterAll(async () => {
  if (noRedis) return;
  await stopServerProcess(server);
  await redis.stop();
});

const DAYS = `subscription ($id: ID!, $dates: [Date!]!) {
  availabilityChanged(ticketGroupId: $id, dates: $dates) { remaining } }`;
const STATES = `subscription ($orderNo: String!) { orderStatusChanged(orderNo: $orderNo) { transactionStatus } }`;
const SESSIONS = 'subscription { sessionRevoked(after: "0") { sessionId reason } }';

const health = async () => (await send(server, 'GET', '/health/ready')).json;
/** A check that takes two seconds on a busy machine fails, and passes the next time. */
const healthy = { timeout: 50_000 };
const me = ({ headers }: { headers: Record<string, string> }) =>
  send(server, 'GET', '/api/v1/identity/users/me', { headers });
/**
 * Whether a token is refused by eight requests at a time, on connections of their own: of many processes each learns by
 * itself that a session has ended, within five seconds.
 */
const refused = (person: { headers: Record<string, string> }) => async () =>
  (await Promise.all(Array.from({ length: 8 }, () => me(person)))).every(({ status }) => status === 401);
const logOut = ({ headers }: { headers: Record<string, string> }) =>
  send(server, 'POST', '/api/v1/logout', { headers });

/** How many of twelve queries from one address are answered; they differ, because equal ones may be joined. */
async function answeredOfTwelve(address: string) {
  const headers = { 'x-forwarded-for': address };
  const ask = (_: unknown, at: number) =>
    send(server, 'GET', `/api/orderNonMemberInquiry?orderNo=ORD-${at}&email=a@example.test`, { headers });
  const answers = await Promise.all(Array.from({ length: 12 }, ask));
  return answers.filter(({ status }) => status !== 429).length;
}

/** Buys with a subscriber; returns the states that it got. */
async function buy() {
  const customer = await logInCustomer(server);
  const { orderNo } = await placeOrder(server, customer);
  const states = follow(server, STATES, { orderNo }, customer.headers);
  const told = [(await states.next()).transactionStatus];
  await payAtTheBank(server, orderNo);
  while (told.at(-1) !== 'SUCCESS') told.push((await states.next()).transactionStatus);
  await states.leave();
  return told;
}

/** Ends a session while another of the same person subscribes; returns the reason that this one gets. */
async function endSession() {
  const logInMember = () => logIn(server, 'member@acme.test', 'ACME');
  const [listener, before, other] = [await logInMember(), await logInMember(), await logInMember()];
  await logOut(before);
  const stream = follow(server, SESSIONS, {}, listener.headers);
  async function reasonFor({ access_token }: typeof other) {
    for (;;) {
      const { sessionId, reason } = await stream.next();
      if (sessionId === decodeJwt(access_token)['sid']) return reason as string;
    }
  }
  await reasonFor(before); // the first event shows that the subscription is active
  await logOut(other);
  const reason = await reasonFor(other);
  await stream.leave();
  await until('the token to be refused', refused(other));
  return reason;
}

describe.skipIf(noRedis)(`a server with Redis${whyNoRedis}`, () => {
  it('shows the address and the health of Redis, and never its password', async () => {
    expect(server.printed()).toMatch(/Redis +127\.0\.0\.1:\d+ +\(yours\)/);
    await expect.poll(health, healthy).toMatchObject({ status: 'ok', checks: { redis: true } });
    expect((await send(server, 'GET', '/')).text).not.toContain(PASSWORD);
    expect(server.printed()).not.toContain(PASSWORD);
  });

  it('sells, and pushes the status of the order', async () => {
    const states = await buy();
    expect([states[0], states.at(-1)]).toEqual(['INITIATED', 'SUCCESS']);
  });

  it('ends sessions at once', async () => {
    expect(await endSession()).toBe('logout');
  });

  it('counts the requests of strangers', async () => {
    expect(await answeredOfTwelve('198.51.100.1')).toBe(5);
  });
});

describe.skipIf(noRedis)(`when Redis dies, a server${whyNoRedis}`, () => {
  it('continues: nothing is lost, limits and tokens hold, events arrive, and when it is back all is as before', async () => {
    const offer = await onSale(server, await acmeAdmin(server), { group: { dailyCapacity: 9 } });
    const days = follow(server, DAYS, { id: offer.ticketGroupId, dates: [day(7)] });
    const custId = await aGuest(server);
    const takeOne = async (address: string) =>
      (
        await send(server, 'POST', '/api/orderTicketGroup', {
          headers: { 'x-forwarded-for': address },
          body: { ...orderInput(offer, custId), ticketGroupId: Number(offer.ticketGroupId) },
        })
      ).status;
    const loggedOut = await logIn(server, 'viewer@acme.test', 'ACME');
    await logOut(loggedOut);
    await until('the token to be refused', refused(loggedOut));
    expect(await days.next()).toEqual([{ remaining: 9 }]);

    await redis.kill();
    await expect.poll(health, healthy).toMatchObject({ status: 'degraded', checks: { redis: false } });
    expect((await me(loggedOut)).status).toBe(401);
    expect(await takeOne('198.51.100.2')).toBe(200);
    expect(await days.next()).toEqual([{ remaining: 8 }]);
    expect((await buy()).at(-1)).toBe('SUCCESS');
    expect(await endSession()).toBe('logout');
    expect(await answeredOfTwelve('198.51.100.3')).toBe(5);

    await redis.start();
    await until('Redis to be found', async () => (await health()).checks.redis);
    expect((await me(loggedOut)).status).toBe(401);
    expect(await takeOne('198.51.100.4')).toBe(200);
    expect(await days.next()).toEqual([{ remaining: 7 }]);
    expect((await buy()).at(-1)).toBe('SUCCESS');
    expect(await endSession()).toBe('logout');
    expect(await answeredOfTwelve('198.51.100.5')).toBe(5);
    await days.leave();
    expect(server.printed()).not.toContain(PASSWORD);
  });
});
