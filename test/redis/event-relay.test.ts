import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { hearing, ofTheRelay, startEventListeners, orders, type EventListeners } from '../support/event-listeners.ts';
import { noRedis, whyNoRedis } from '../support/servers/redis-server.ts';
import { until } from '../support/until.ts';

let listeners: EventListeners;
beforeAll(async () => {
  listeners = await startEventListeners();
});
afterEach(() => listeners.leave());
afterAll(() => listeners.close());

describe.skipIf(noRedis)(`the relay${whyNoRedis}`, () => {
  it('saves the other processes a connection to the database', async () => {
    listeners.aRelay();
    const all = Array.from({ length: 4 }, () =>
      hearing(listeners.overRedis('postgresql://nobody@127.0.0.1:1/nowhere'), orders),
    );
    for (const listener of all) await listener.toldToLook();

    await listeners.notify(orders, 'B1');

    for (const listener of all) await listener.has('B1');
    expect(await listeners.sessions('LISTEN%')).toBe(1);
  });

  it('is active in one process, however many are open', async () => {
    for (let count = 0; count < 5; count += 1) listeners.aRelay();
    const listener = hearing(listeners.overRedis(), orders);
    await listener.toldToLook();
    await until('five to stand for election', async () => (await listeners.sessions('%')) >= 5);

    for (let number = 0; number < 50; number += 1) await listeners.notify(orders, `C${number}`);

    await listener.has('C49');
    expect(listener.said()).toHaveLength(50);
    expect(await listeners.sessions('LISTEN%')).toBe(1);
  });

  it('is taken over when it dies, and all are told to look', async () => {
    listeners.aRelay();
    listeners.aRelay();
    const listener = hearing(listeners.overRedis(), orders);
    await listener.toldToLook();

    await listeners.cut(ofTheRelay);
    await listeners.notify(orders, 'while nobody relays');
    await listener.toldToLook();
    await listeners.notify(orders, 'D1');

    expect(await listener.has('D1')).toBe(true);
  });

  it('hands over to another when it is stopped', async () => {
    const first = listeners.aRelay();
    const listener = hearing(listeners.overRedis(), orders);
    await listener.toldToLook();
    listeners.aRelay();

    await first.stop();
    await listener.toldToLook();
    await listeners.notify(orders, 'E1');

    expect(await listener.has('E1')).toBe(true);
  });

  it('that can not reach Redis gives the lock to one that can', async () => {
    const cutOff = listeners.aRedis();
    listeners.aRelay(cutOff);
    const listener = hearing(listeners.overRedis(), orders);
    await listener.toldToLook();
    listeners.aRelay();

    cutOff.stop();
    await listener.toldToLook();
    await listeners.notify(orders, 'F1');

    expect(await listener.has('F1')).toBe(true);
  });
});

describe.skipIf(noRedis)(`events over Redis${whyNoRedis}`, () => {
  it('tell all to look when one was lost on the way', async () => {
    const redis = listeners.aRedis();
    const listener = hearing(listeners.overRedis(), orders);
    const relay = (...message: unknown[]) =>
      redis.client.publish(`${redis.prefix}notices`, JSON.stringify(['the relay', ...message]));
    await until('somebody to hear the relay', async () => (await relay(7).catch(() => 0)) > 0);
    await listener.toldToLook();

    await relay(8, orders, 'next');
    await relay(10, orders, 'after a gap');

    await listener.has('after a gap');
    expect(listener.heard).toEqual(['next', null, 'after a gap']);
  });

  it('ignore what anybody else publishes there', async () => {
    const redis = listeners.aRedis();
    listeners.aRelay();
    const listener = hearing(listeners.overRedis(), orders);
    await listener.toldToLook();

    for (const rubbish of ['', '{', '[]', '["a"]', '["a",1,2,3]', '{"relay":1}', 'null'])
      await redis.client.publish(`${redis.prefix}notices`, rubbish);
    await listeners.notify(orders, 'H1');

    await listener.has('H1');
    expect(listener.heard).toEqual(['H1']);
  });

  it('of two installations on one Redis server are separated by their database numbers', async () => {
    listeners.aRelay();
    const other = listeners.aRedis(1);
    const listener = hearing(listeners.overRedis(), orders);
    await listener.toldToLook();

    await other.client.publish(`${other.prefix}notices`, JSON.stringify(['other', 0, orders, 'of another server']));
    await listeners.notify(orders, 'I1');

    await listener.has('I1');
    expect(listener.said()).toEqual(['I1']);
  });

  it('come from the database itself while Redis is away, and from Redis again when it is back', async () => {
    listeners.aRelay();
    const listener = hearing(listeners.overRedis(), orders);
    await listener.toldToLook();

    await listeners.redisServer?.kill();
    await listener.toldToLook();
    await listeners.notify(orders, 'J1');
    await listener.has('J1');
    expect(await listeners.sessions('LISTEN%')).toBeGreaterThan(0);

    await listeners.redisServer?.start();
    await listener.toldToLook();
    await until('one to listen to the database', async () => (await listeners.sessions('LISTEN%')) === 1);
    await listeners.notify(orders, 'J2');
    await listener.has('J2');
  });

  it('come from the database itself while Redis is there, but does not answer', async () => {
    listeners.aRelay();
    const listener = hearing(listeners.overRedis(), orders);
    await listener.toldToLook();

    listeners.redisServer?.freeze();
    await listener.toldToLook();
    await listeners.notify(orders, 'K1');
    expect(await listener.has('K1')).toBe(true);

    listeners.redisServer?.thaw();
    await listener.toldToLook();
  });

  it('come from the database itself while there is no relay', async () => {
    const listener = hearing(listeners.overRedis(), orders);
    await listener.toldToLook();
    await listeners.notify(orders, 'L1');
    expect(await listener.has('L1')).toBe(true);

    listeners.aRelay();
    await listener.toldToLook();
    await until('one to listen to the database', async () => (await listeners.sessions('LISTEN%')) === 1);
  });
});
