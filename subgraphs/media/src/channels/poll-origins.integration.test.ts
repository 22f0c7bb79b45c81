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

it('a check orders a stream again that its streamer does not have', async () => {
  const id = await channelOf('gone.stream', '500ms');
  await pollOrigins({ ...needs, restoreStreams: true });
  expect(await streamers.hasStream(node, 'gone.stream')).toBe(true);
  expect(await originOf(id)).toMatchObject({ status: 'active', failure: null, outdated: false });
});

it('without RESTORE_STREAMS it only records that the stream is not there', async () => {
  const id = await channelOf('left.stream', '500ms');
  await pollOrigins({ ...needs, restoreStreams: false });
  expect(await streamers.hasStream(node, 'left.stream')).toBe(false);
  expect(await originOf(id)).toMatchObject({ status: 'failed', failure: 'The streamer does not have this stream.' });
});

it('a stream that channels share is ordered again with the settings of the first, whichever is checked', async () => {
  const [first, second] = [await channelOf('shared.stream', '500ms'), await channelOf('shared.stream', '700ms')];
  await db.channelOrigin.updateMany({ where: { channelId: first }, data: { status: 'pending' } }); // not due yet
  const ordered: object[] = [];
  const heard: typeof streamers = {
    ...streamers,
    createStream: (at, streamId, payload) => {
      ordered.push(payload);
      return streamers.createStream(at, streamId, payload);
    },
  };
  await pollOrigins({ ...needs, streamer: heard, restoreStreams: true });
  expect(ordered).toEqual([{ chunkDuration: '500ms', url: ingestUrl }]);
  expect(await originOf(second)).toMatchObject({ status: 'failed' });

  await pollOrigins({ ...needs, restoreStreams: true });
  expect(await originOf(second)).toMatchObject({ status: 'active', failure: null });
});

it('a stream with an earlier configuration is replaced', async () => {
  const id = await channelOf('changed.stream', '500ms');
  await streamers.createStream(node, 'changed.stream', { url: ingestUrl, chunkDuration: '900ms' });
  await db.channelOrigin.updateMany({ data: { outdated: true, status: 'failed', failure: 'It was away.' } });
  const ended: string[] = [];
  const heard: typeof streamers = {
    ...streamers,
    deleteStream: (at, streamId) => {
      ended.push(streamId);
      return streamers.deleteStream(at, streamId);
    },
  };
  await pollOrigins({ ...needs, streamer: heard, restoreStreams: true });
  expect(ended).toEqual(['changed.stream']);
  expect(await originOf(id)).toMatchObject({ status: 'active', failure: null, outdated: false });
});

it('of several streams that a streamer refuses, one is ordered in a check, and its refusal stays recorded', async () => {
  const ids = [await channelOf('refused1.stream', 'soon'), await channelOf('refused2.stream', 'soon')];
  let orders = 0;
  const heard: typeof streamers = {
    ...streamers,
    createStream: (at, streamId, payload) => {
      orders += 1;
      return streamers.createStream(at, streamId, payload);
    },
  };
  await pollOrigins({ ...needs, streamer: heard, restoreStreams: true });
  expect(orders).toBe(1);
  await pollOrigins({ ...needs, streamer: heard, restoreStreams: false });
  const failures = await Promise.all(ids.map(async (id) => (await originOf(id)).failure));
  expect(new Set(failures)).toEqual(new Set(['The node answered 400.', 'The streamer does not have this stream.']));
});
