import { setImmediate } from 'node:timers/promises';

import { buildSchema, parse, subscribe } from 'graphql';
import { describe, expect, it } from 'vitest';

import { paceStreams } from './pace-streams.ts';

/** A stream that has a next event at any time; `read` says how many were read of it. */
function counter() {
  const seen = { read: 0, left: false };
  async function* count() {
    try {
      for (;;) yield (seen.read += 1);
    } finally {
      seen.left = true;
    }
  }
  const schema = buildSchema('type Query { count: Int } type Subscription { count: Int }');
  const { count: field } = schema.getSubscriptionType()?.getFields() ?? {};
  if (field) Object.assign(field, { subscribe: count, resolve: (event: number) => event });
  return { schema: paceStreams(schema), seen };
}

describe('a stream of a subgraph', () => {
  it('is read no faster than its events are resolved, so that none has to be dropped', async () => {
    const { schema, seen } = counter();
    const { count: field } = schema.getSubscriptionType()?.getFields() ?? {};
    const events = (await field?.subscribe?.(undefined, {}, {}, {} as never)) as AsyncIterableIterator<unknown>;

    const first = await events.next();
    const second = events.next();
    await setImmediate();
    expect(seen.read).toBe(1);
    expect(field?.resolve?.(first.value, {}, {}, {} as never)).toBe(1);
    expect(field?.resolve?.((await second).value, {}, {}, {} as never)).toBe(2);
  });

  it('yields its events in order, and is released when its reader leaves', async () => {
    const { schema, seen } = counter();
    const results = await subscribe({ schema, document: parse('subscription { count }') });
    if (!(Symbol.asyncIterator in results)) throw new Error('it was not opened');

    expect([(await results.next()).value, (await results.next()).value]).toEqual([
      { data: { count: 1 } },
      { data: { count: 2 } },
    ]);
    await results.return?.(undefined);

    expect(seen.left).toBe(true);
  });
});
