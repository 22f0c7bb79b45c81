import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

import { nodeTooSlow } from '../nodes/refusals.ts';
import { ingestUrl, openStreams, type StreamsFixture } from '../testing/streams-fixture.ts';
import { removeChannel } from './delete-channel.ts';
import { endStreamJob } from './end-stream-job.ts';
import { endStream } from './end-stream.ts';
import { orderStream } from './order-stream.ts';
import { pollOrigins } from './poll-origins.ts';

let own: StreamsFixture;

beforeAll(async () => {
  own = await openStreams();
}, 60_000);
beforeEach(async () => {
  await own.db.channel.deleteMany();
});
afterAll(() => own.close());

const order = async (needs: StreamsFixture['needs'], channelId: number) => {
  const origin = await own.originOf(channelId);
  return orderStream(needs, origin.channel, origin);
};
const configured = (chunkDuration: string) => ({ chunkDuration, url: ingestUrl });

it('the end of a channel interrupts the stream of another organization that follows it once, and not twice', async () => {
  const first = await own.channelOf('followed.stream', '500ms', 'o1');
  const second = await own.channelOf('followed.stream', '700ms', 'o2');
  const { needs, orders, ends } = own.hearing();
  await order(needs, first);
  expect(await order(needs, second)).toMatchObject({ code: 'STREAM_TAKEN' });

  const { channel, ...origin } = await own.originOf(first);
  const jobs: (typeof endStreamJob.data)['_output'][] = [];
  const enqueue = async (_job: unknown, data: object) => void jobs.push(endStreamJob.data.parse(data));
  await removeChannel({ ...needs, jobs: { ...needs.jobs, enqueue } }, { ...channel, origins: [origin] });
  for (const ending of jobs) await endStream(needs, ending);
  expect(jobs).toHaveLength(1);
  expect([orders, ends]).toEqual([[configured('500ms'), configured('700ms')], ['followed.stream']]);
  expect(await own.originOf(second)).toMatchObject({ status: 'active', outdated: false });
});

it('a new channel does not stream what one of another organization left whose end still waits for the node', async () => {
  await own.streamers.createStream(own.node, 'waiting.stream', configured('500ms'));
  await own.jobs.enqueue(endStreamJob, {
    streamerId: own.node.id,
    streamId: 'waiting.stream',
    organizationId: 'o1',
  });
  const { needs, orders, ends } = own.hearing();
  const id = await own.channelOf('waiting.stream', '700ms', 'o2');
  expect(await order(needs, id)).toBeNull();
  expect(ends).toEqual(['waiting.stream']);
  expect(orders).toEqual([configured('700ms'), configured('700ms')]);

  await own.channelOf('waiting.stream', '800ms', 'o2');
  expect(await order(needs, id)).toMatchObject({ code: 'STREAM_SHARED' });
  expect(ends).toHaveLength(1);
});

it('a new channel is not active on such a stream when its node comes back', async () => {
  await own.streamers.createStream(own.node, 'away.stream', configured('500ms'));
  const ending = { streamerId: own.node.id, streamId: 'away.stream', organizationId: 'o1' };
  await own.jobs.enqueue(endStreamJob, ending);
  const id = await own.channelOf('away.stream', '700ms', 'o2');
  const createStream = () => Promise.reject(nodeTooSlow());
  await order({ ...own.needs, streamer: { ...own.streamers, createStream } }, id);
  await pollOrigins(own.needs);
  expect(await own.originOf(id)).toMatchObject({ status: 'failed', outdated: true });
  await endStream(own.needs, ending);
  expect(await own.originOf(id)).toMatchObject({ status: 'active', outdated: false });
});

it('channels that share a name do not stream it either: the first to be ordered ends it', async () => {
  await own.streamers.createStream(own.node, 'both.stream', configured('500ms'));
  await own.jobs.enqueue(endStreamJob, { streamerId: own.node.id, streamId: 'both.stream', organizationId: 'o1' });
  const ids = [
    await own.channelOf('both.stream', '700ms', 'o2'),
    await own.channelOf('both.stream', '800ms', 'o2'),
  ] as const;
  await own.db.channelOrigin.updateMany({ data: { status: 'failed', outdated: true } });
  const { needs, ends } = own.hearing();
  for (const id of ids) expect(await order(needs, id)).toMatchObject({ code: 'STREAM_SHARED' });
  expect(ends).toEqual(['both.stream']);
});

it('the channel of an organization that left the stream itself has it, as it has any that exists', async () => {
  await own.streamers.createStream(own.node, 'itself.stream', configured('500ms'));
  await own.jobs.enqueue(endStreamJob, { streamerId: own.node.id, streamId: 'itself.stream', organizationId: 'o2' });
  const { needs, ends } = own.hearing();
  expect(await order(needs, await own.channelOf('itself.stream', '700ms', 'o2'))).toBeNull();
  expect(ends).toEqual([]);
});
