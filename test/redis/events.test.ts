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

describe.for(implementations)('notices over $name', ({ skipped, open }) => {
  it.skipIf(skipped)('tell who tunes in to look, and then each notice, in the order of the commits', async () => {
    const listener = hearing(open(), orders);
    await listener.toldToLook();

    const numbers = Array.from({ length: 200 }, (_, number) => String(number));
    for (const number of numbers) await listeners.announce(orders, number);

    await listener.has('199');
    expect(listener.heard).toEqual(numbers);
  });

  it.skipIf(skipped)('reach every process, every listener, and only who listens to that channel', async () => {
    const notices = open();
    const all = [notices, notices, open()].map((each) => hearing(each, orders));
    const other = hearing(notices, days);
    for (const listener of [...all, other]) await listener.toldToLook();

    await listeners.announce(orders, 'A1');
    await listeners.announce(days, 'friday');

    for (const listener of all) await listener.has('A1');
    await other.has('friday');
    expect(other.said()).toEqual(['friday']);
    expect(all.map(({ said }) => said())).toEqual([['A1'], ['A1'], ['A1']]);
  });

  it.skipIf(skipped)('carry any payload whole', async () => {
    const listener = hearing(open(), orders);
    await listener.toldToLook();

    const payloads = ['', '"quoted" \\ and\nbroken', '票 🎫', 'x'.repeat(7_900)];
    for (const payload of payloads) await listeners.announce(orders, payload);

    await listener.has(payloads.at(-1) ?? '');
    expect(listener.heard).toEqual(payloads);
  });

  it.skipIf(skipped)('leave with the commit, and not without it', async () => {
    const listener = hearing(open(), orders);
    await listener.toldToLook();

    await listeners.db.query(`BEGIN; NOTIFY ${orders}, 'undone'; ROLLBACK; BEGIN; NOTIFY ${orders}, 'done'; COMMIT`);

    await listener.has('done');
    expect(listener.heard).toEqual(['done']);
  });

  it.skipIf(skipped)('tell of a channel that is tuned in to later, too', async () => {
    const notices = open();
    await hearing(notices, orders).toldToLook();

    const late = hearing(notices, days);
    await late.toldToLook();
    await listeners.announce(days, 'saturday');

    expect(await late.has('saturday')).toBe(true);
  });

  it.skipIf(skipped)('tell nothing to who has left', async () => {
    const notices = open();
    const [gone, here] = [hearing(notices, orders), hearing(notices, orders)];
    await here.toldToLook();
    gone.end();
    gone.heard.length = 0;

    await listeners.announce(orders, 'A2');

    await here.has('A2');
    expect(gone.heard).toEqual([]);
  });

  it.skipIf(skipped)('tell all to look when the connection to the database was lost, and go on', async () => {
    const listener = hearing(open(), orders);
    await listener.toldToLook();

    await listeners.cut(`${ofTheRelay} OR ${listening}`);
    await listener.toldToLook();

    await listeners.announce(orders, 'A3');
    expect(await listener.has('A3')).toBe(true);
  });
});
