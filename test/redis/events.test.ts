import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import {
  days,
  hearing,
  listening,
  ofTheRelay,
  startEventListeners,
  orders,
  type EventListeners,
} from '../support/event-listeners.ts';
import { noRedis, whyNoRedis } from '../support/servers/redis-server.ts';

let listeners: EventListeners;
beforeAll(async () => {
  listeners = await startEventListeners();
});
afterEach(() => listeners.leave());
afterAll(() => listeners.close());

const implementations = [
  { name: 'PostgreSQL', skipped: false, open: () => listeners.overPostgres() },
  {
    name: `Redis${whyNoRedis}`,
    skipped: noRedis,
    open() {
      listeners.aRelay();
      return listeners.overRedis();
    },
  },
];

describe.for(implementations)('events over $name', ({ skipped, open }) => {
  it.skipIf(skipped)('tell a new listener to look, and then each event, in the order of the commits', async () => {
    const listener = hearing(open(), orders);
    await listener.toldToLook();

    const numbers = Array.from({ length: 200 }, (_, number) => String(number));
    for (const number of numbers) await listeners.notify(orders, number);

    await listener.has('199');
    expect(listener.heard).toEqual(numbers);
  });

  it.skipIf(skipped)('reach every process and every listener of their channel, and nobody else', async () => {
    const events = open();
    const all = [events, events, open()].map((each) => hearing(each, orders));
    const other = hearing(events, days);
    for (const listener of [...all, other]) await listener.toldToLook();

    await listeners.notify(orders, 'A1');
    await listeners.notify(days, 'friday');

    for (const listener of all) await listener.has('A1');
    await other.has('friday');
    expect(other.said()).toEqual(['friday']);
    expect(all.map(({ said }) => said())).toEqual([['A1'], ['A1'], ['A1']]);
  });

  it.skipIf(skipped)('carry any payload whole', async () => {
    const listener = hearing(open(), orders);
    await listener.toldToLook();

    const payloads = ['', '"quoted" \\ and\nbroken', '票 🎫', 'x'.repeat(7_900)];
    for (const payload of payloads) await listeners.notify(orders, payload);

    await listener.has(payloads.at(-1) ?? '');
    expect(listener.heard).toEqual(payloads);
  });

  it.skipIf(skipped)('are sent with the commit, and not without it', async () => {
    const listener = hearing(open(), orders);
    await listener.toldToLook();

    await listeners.db.query(`BEGIN; NOTIFY ${orders}, 'undone'; ROLLBACK; BEGIN; NOTIFY ${orders}, 'done'; COMMIT`);

    await listener.has('done');
    expect(listener.heard).toEqual(['done']);
  });

  it.skipIf(skipped)('reach a listener that subscribes later, too', async () => {
    const events = open();
    await hearing(events, orders).toldToLook();

    const late = hearing(events, days);
    await late.toldToLook();
    await listeners.notify(days, 'saturday');

    expect(await late.has('saturday')).toBe(true);
  });

  it.skipIf(skipped)('do not reach a listener that has left', async () => {
    const events = open();
    const [gone, here] = [hearing(events, orders), hearing(events, orders)];
    await here.toldToLook();
    gone.end();
    gone.heard.length = 0;

    await listeners.notify(orders, 'A2');

    await here.has('A2');
    expect(gone.heard).toEqual([]);
  });

  it.skipIf(skipped)('tell all to look when the connection to the database was lost, and continue', async () => {
    const listener = hearing(open(), orders);
    await listener.toldToLook();

    await listeners.cut(`${ofTheRelay} OR ${listening}`);
    await listener.toldToLook();

    await listeners.notify(orders, 'A3');
    expect(await listener.has('A3')).toBe(true);
  });
});
