import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { nodeTooSlow } from '../nodes/refusals.ts';
import { ingestUrl, openStreams, type StreamsFixture } from '../testing/streams-fixture.ts';
import { endStream } from './end-stream.ts';
import { pollOrigins } from './poll-origins.ts';

let own: StreamsFixture;

beforeAll(async () => {
  own = await openStreams();
}, 60_000);
beforeEach(async () => {
  await own.db.channel.deleteMany();
});
afterAll(() => own.close());

function hearing() {
  const { needs, ...heard } = own.hearing();
  return { ...heard, needs, check: (restoreStreams = true) => pollOrigins({ ...needs, restoreStreams }) };
}

it('a check orders a stream again that its streamer does not have; it is active once the next check finds it', async () => {
  const id = await own.channelOf('gone.stream', '500ms');
  const { check, orders } = hearing();
  await check();
  expect(orders).toEqual([{ chunkDuration: '500ms', url: ingestUrl }]);
  expect(await own.originOf(id)).toMatchObject({
    status: 'failed',
    failure: 'The streamer does not have this stream.',
  });
  await check();
  expect(orders).toHaveLength(1);
  expect(await own.originOf(id)).toMatchObject({ status: 'active', failure: null });
});

it('without RESTORE_STREAMS a check only records that a stream is not there', async () => {
  const id = await own.channelOf('left.stream', '500ms');
  const { check, orders } = hearing();
  await check(false);
  expect(orders).toEqual([]);
  expect(await own.originOf(id)).toMatchObject({
    status: 'failed',
    failure: 'The streamer does not have this stream.',
  });
});

it('a stream that channels share is ordered again with the settings of the first, whichever is checked', async () => {
  const [first, second] = [
    await own.channelOf('shared.stream', '500ms'),
    await own.channelOf('shared.stream', '700ms'),
  ];
  await own.db.channelOrigin.updateMany({ where: { channelId: first }, data: { status: 'pending' } }); // not due yet
  const { check, orders } = hearing();
  await check();
  expect(orders).toEqual([{ chunkDuration: '500ms', url: ingestUrl }]);
  await check();
  expect(await own.originOf(second)).toMatchObject({ status: 'active', failure: null });
});

it('where the streamer refuses those of the first, it is ordered with those of the other', async () => {
  await own.channelOf('halves.stream', 'soon');
  const second = await own.channelOf('halves.stream', '700ms');
  const { check } = hearing();
  await check();
  await check();
  expect(await own.originOf(second)).toMatchObject({ status: 'active', failure: null });
});

it('a check ends no stream: one with an earlier configuration waits for an update', async () => {
  const id = await own.channelOf('changed.stream', '500ms');
  await own.streamers.createStream(own.node, 'changed.stream', { url: ingestUrl, chunkDuration: '900ms' });
  await own.db.channelOrigin.updateMany({ data: { outdated: true, status: 'failed', failure: 'It was away.' } });
  const { check, orders, ends } = hearing();
  await check();
  expect([orders, ends]).toEqual([[], []]);
  expect(await own.originOf(id)).toMatchObject({ status: 'failed', outdated: true });

  await own.streamers.deleteStream(own.node, 'changed.stream');
  await check();
  await check();
  expect(orders).toEqual([{ chunkDuration: '500ms', url: ingestUrl }]);
  expect(await own.originOf(id)).toMatchObject({ status: 'active', outdated: false });
});

it('a stream that its streamer refuses does not keep others from it, and the refusal stays recorded', async () => {
  const refused = await own.channelOf('refused.stream', 'soon');
  const others = [await own.channelOf('taken1.stream', '500ms'), await own.channelOf('taken2.stream', '500ms')];
  const { check } = hearing();
  await check();
  await check();
  expect(await own.originOf(refused)).toMatchObject({ status: 'failed', failure: 'The node answered 400.' });
  for (const id of others) expect(await own.originOf(id)).toMatchObject({ status: 'active' });
});

it('an order that fails late leaves a stream active that another order has begun meanwhile', async () => {
  const id = await own.channelOf('twice.stream', '500ms');
  const { checkedAt } = await own.originOf(id);
  const late: typeof own.streamers = {
    ...own.streamers,
    createStream: async (at, streamId, payload) => {
      await own.streamers.createStream(at, streamId, payload);
      await own.db.channelOrigin.updateMany({ data: { status: 'active', failure: null, checkedAt: new Date() } });
      throw nodeTooSlow();
    },
  };
  await pollOrigins({ ...own.needs, streamer: late, restoreStreams: true });
  expect(await own.originOf(id)).toMatchObject({ status: 'active', failure: null });
  expect((await own.originOf(id)).checkedAt).not.toEqual(checkedAt);
});

it('a channel is not active on the stream that one of another organization left, and gets its own when that has ended', async () => {
  const first = await own.channelOf('contested.stream', '500ms', 'o1');
  const second = await own.channelOf('contested.stream', '700ms', 'o2');
  await own.streamers.createStream(own.node, 'contested.stream', { url: ingestUrl, chunkDuration: '500ms' });
  const { check, needs, orders } = hearing();
  await check();
  expect(await own.originOf(first)).toMatchObject({ status: 'active' });
  expect(await own.originOf(second)).toMatchObject({ status: 'failed', outdated: true });

  await own.db.channel.delete({ where: { id: first } });
  await check(); // the stream of the first still runs
  expect(await own.originOf(second)).toMatchObject({ status: 'failed', outdated: true });
  await endStream(needs, { streamerId: own.node.id, streamId: 'contested.stream', organizationId: 'o1' });
  expect(orders).toEqual([{ chunkDuration: '700ms', url: ingestUrl }]);
  expect(await own.originOf(second)).toMatchObject({ status: 'active', outdated: false });
});

it('a stream that another organization had is ordered once its node does not have it any more', async () => {
  const first = await own.channelOf('left.stream', '500ms', 'o1');
  const second = await own.channelOf('left.stream', '700ms', 'o2');
  await own.streamers.createStream(own.node, 'left.stream', { url: ingestUrl, chunkDuration: '500ms' });
  const { check, orders } = hearing();
  await check();
  await own.db.channel.delete({ where: { id: first } });
  await own.streamers.deleteStream(own.node, 'left.stream');
  await check();
  await check();
  expect(orders).toEqual([{ chunkDuration: '700ms', url: ingestUrl }]);
  expect(await own.originOf(second)).toMatchObject({ status: 'active', outdated: false });
});

describe('a slow node', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => void vi.useRealTimers());

  /** Checks often enough that whatever a check leaves out at random is reached by one of them. */
  async function checkOften(streamer: typeof own.streamers, until: () => Promise<boolean>) {
    for (let checks = 0; checks < 100 && !(await until()); checks += 1)
      await pollOrigins({ ...own.needs, streamer, restoreStreams: true });
  }

  it('that answers an order too late for others gets those in the end, whichever of them it is', async () => {
    const slow = await own.channelOf('slow.stream', '900ms');
    await own.channelOf('other1.stream', '500ms');
    await own.channelOf('other2.stream', '500ms');
    const haveTheirs = async () =>
      (await own.streamers.hasStream(own.node, 'other1.stream')) &&
      (await own.streamers.hasStream(own.node, 'other2.stream'));
    await checkOften(
      {
        ...own.streamers,
        createStream: async (at, streamId, payload) => {
          if (streamId !== 'slow.stream') return own.streamers.createStream(at, streamId, payload);
          vi.advanceTimersByTime(10_000);
          throw nodeTooSlow();
        },
      },
      haveTheirs,
    );
    expect(await haveTheirs()).toBe(true);
    expect(await own.originOf(slow)).toMatchObject({ status: 'failed' });
  });

  it('ends a check of its streams after half a minute, and the rest is looked at by later ones', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await own.channelOf(`${name}.stream`, '500ms');
    const looks: string[] = [];
    const looksOfACheck: number[] = [];
    await checkOften(
      {
        ...own.streamers,
        hasStream: async (_at, streamId) => {
          looks.push(streamId);
          vi.advanceTimersByTime(15_000);
          return true;
        },
      },
      async () => {
        looksOfACheck.push(looks.length - looksOfACheck.reduce((sum, each) => sum + each, 0));
        return new Set(looks).size === 4;
      },
    );
    expect(Math.max(...looksOfACheck)).toBe(2);
    expect(new Set(looks).size).toBe(4);
  });
});
