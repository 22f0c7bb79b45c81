import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openDatabase } from '@foyer/prisma/client';
import { createTestDatabase, type TestDatabase } from '@foyer/prisma/testing/test-database';
import { loopback, openAddressPolicy } from '@foyer/shared/http/addresses/address-policy';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

import { openNodeConnections } from '../adapters/node-connections.ts';
import { streamer } from '../adapters/streamer.ts';
import type { Context } from '../context.ts';
import { nodeTooSlow } from '../nodes/refusals.ts';
import { startStreamer } from '../simulators/streamer.ts';
import { pollOrigins } from './poll-origins.ts';

const connections = openNodeConnections({
  timeoutMs: 30_000,
  addresses: openAddressPolicy({ networks: loopback, services: [] }),
});
const streamers = streamer({ connections, timeoutMs: 30_000 });

let scratch: TestDatabase;
let db: ReturnType<typeof openDatabase>;
let folder: string;
let simulator: Awaited<ReturnType<typeof startStreamer>>;
let needs: Parameters<typeof pollOrigins>[0];
let node: { id: number; host: string; apiPort: number };

beforeAll(async () => {
  scratch = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'foyer-origins-'));
  simulator = await startStreamer({ folder, findFfmpeg: async () => 'ffmpeg' });
  db = openDatabase(scratch.url);
  needs = { db, streamer: streamers, log: { warn: () => undefined }, originPollMs: 0 } as unknown as Context;
  const { apiPort } = simulator;
  node = await db.streamer.create({ data: { name: 'Node', host: '127.0.0.1', httpPort: apiPort, apiPort } });
}, 60_000);
beforeEach(async () => {
  await db.channel.deleteMany();
});
afterAll(async () => {
  await db.$disconnect();
  await scratch.drop();
  await simulator.stop();
  await connections.close();
  await rm(folder, { recursive: true });
});

const ingestUrl = 'udp://239.0.0.1:1234';

/** Records a channel whose stream is active, and that the node does not have. */
async function channelOf(streamId: string, chunkDuration: string): Promise<number> {
  const { id } = await db.channel.create({
    data: {
      name: streamId,
      streamId,
      sourceType: 'udp',
      ingestConfig: { chunkDuration },
      transcodeConfig: {},
      origins: { create: { streamerId: node.id, streamId, ingestUrl, playbackUrl: '', status: 'active' } },
    },
  });
  return id;
}

const originOf = (channelId: number) => db.channelOrigin.findFirstOrThrow({ where: { channelId } });

/** The node with what it was asked to do. */
function hearing() {
  const orders: object[] = [];
  const ends: string[] = [];
  const heard: typeof streamers = {
    ...streamers,
    createStream: (at, streamId, payload) => {
      orders.push(payload);
      return streamers.createStream(at, streamId, payload);
    },
    deleteStream: (at, streamId) => {
      ends.push(streamId);
      return streamers.deleteStream(at, streamId);
    },
  };
  return { orders, ends, check: (restoreStreams = true) => pollOrigins({ ...needs, streamer: heard, restoreStreams }) };
}

it('a check orders a stream again that its streamer does not have; it is active once the next check finds it', async () => {
  const id = await channelOf('gone.stream', '500ms');
  const { check, orders } = hearing();
  await check();
  expect(orders).toEqual([{ chunkDuration: '500ms', url: ingestUrl }]);
  expect(await originOf(id)).toMatchObject({ status: 'failed', failure: 'The streamer does not have this stream.' });
  await check();
  expect(orders).toHaveLength(1);
  expect(await originOf(id)).toMatchObject({ status: 'active', failure: null });
});

it('without RESTORE_STREAMS a check only records that a stream is not there', async () => {
  const id = await channelOf('left.stream', '500ms');
  const { check, orders } = hearing();
  await check(false);
  expect(orders).toEqual([]);
  expect(await originOf(id)).toMatchObject({ status: 'failed', failure: 'The streamer does not have this stream.' });
});

it('a stream that channels share is ordered again with the settings of the first, whichever is checked', async () => {
  const [first, second] = [await channelOf('shared.stream', '500ms'), await channelOf('shared.stream', '700ms')];
  await db.channelOrigin.updateMany({ where: { channelId: first }, data: { status: 'pending' } }); // not due yet
  const { check, orders } = hearing();
  await check();
  expect(orders).toEqual([{ chunkDuration: '500ms', url: ingestUrl }]);
  await check();
  expect(await originOf(second)).toMatchObject({ status: 'active', failure: null });
});

it('where the streamer refuses those of the first, it is ordered with those of the other', async () => {
  await channelOf('halves.stream', 'soon');
  const second = await channelOf('halves.stream', '700ms');
  const { check } = hearing();
  await check();
  await check();
  expect(await originOf(second)).toMatchObject({ status: 'active', failure: null });
});

it('a check ends no stream: one with an earlier configuration waits for an update', async () => {
  const id = await channelOf('changed.stream', '500ms');
  await streamers.createStream(node, 'changed.stream', { url: ingestUrl, chunkDuration: '900ms' });
  await db.channelOrigin.updateMany({ data: { outdated: true, status: 'failed', failure: 'It was away.' } });
  const { check, orders, ends } = hearing();
  await check();
  expect([orders, ends]).toEqual([[], []]);
  expect(await originOf(id)).toMatchObject({ status: 'failed', outdated: true });

  await streamers.deleteStream(node, 'changed.stream');
  await check();
  await check();
  expect(orders).toEqual([{ chunkDuration: '500ms', url: ingestUrl }]);
  expect(await originOf(id)).toMatchObject({ status: 'active', outdated: false });
});

it('a stream that its streamer refuses does not keep others from it, and the refusal stays recorded', async () => {
  const refused = await channelOf('refused.stream', 'soon');
  const others = [await channelOf('taken1.stream', '500ms'), await channelOf('taken2.stream', '500ms')];
  const { check } = hearing();
  await check();
  await check();
  expect(await originOf(refused)).toMatchObject({ status: 'failed', failure: 'The node answered 400.' });
  for (const id of others) expect(await originOf(id)).toMatchObject({ status: 'active' });
});

it('an order that fails late leaves a stream active that another order has begun meanwhile', async () => {
  const id = await channelOf('twice.stream', '500ms');
  const { checkedAt } = await originOf(id);
  const late: typeof streamers = {
    ...streamers,
    createStream: async (at, streamId, payload) => {
      await streamers.createStream(at, streamId, payload);
      await db.channelOrigin.updateMany({ data: { status: 'active', failure: null, checkedAt: new Date() } });
      throw nodeTooSlow();
    },
  };
  await pollOrigins({ ...needs, streamer: late, restoreStreams: true });
  expect(await originOf(id)).toMatchObject({ status: 'active', failure: null });
  expect((await originOf(id)).checkedAt).not.toEqual(checkedAt);
});
