// For tests: channels in a database, and a streamer node that hears what it is asked to do.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openDatabase } from '@foyer/prisma/client';
import { createTestDatabase } from '@foyer/prisma/testing/test-database';
import { loopback, openAddressPolicy } from '@foyer/shared/http/addresses/address-policy';
import { openJobs } from '@foyer/shared/jobs/jobs';
import { worker } from '@foyer/shared/jobs/job';
import { openLog } from '@foyer/shared/telemetry/log';

import { openNodeConnections } from '../adapters/node-connections.ts';
import { streamer } from '../adapters/streamer.ts';
import { endStreamJob } from '../channels/end-stream-job.ts';
import type { Context } from '../context.ts';
import { startStreamer } from '../simulators/streamer.ts';

export const ingestUrl = 'udp://239.0.0.1:1234';

export type StreamsFixture = Awaited<ReturnType<typeof openStreams>>;

/** Starts a streamer and opens a database where it is registered. Jobs are enqueued, and nobody works on them. */
export async function openStreams() {
  const scratch = await createTestDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'foyer-origins-'));
  const simulator = await startStreamer({ folder, findFfmpeg: async () => 'ffmpeg' });
  const nodeAddresses = openAddressPolicy({ networks: loopback, services: [] });
  const connections = openNodeConnections({ timeoutMs: 30_000, addresses: nodeAddresses });
  const streamers = streamer({ connections, timeoutMs: 30_000 });
  const jobs = await openJobs({ databaseUrl: scratch.url, log: openLog('silent'), enqueueOnly: true });
  await jobs.register([worker(endStreamJob, async () => undefined)]);
  const db = openDatabase(scratch.url);
  const needs = { db, jobs, streamer: streamers, nodeAddresses, log: openLog('silent'), originPollMs: 0 };
  const { apiPort } = simulator;
  const node = await db.streamer.create({ data: { name: 'Node', host: '127.0.0.1', httpPort: apiPort, apiPort } });

  return {
    db,
    jobs,
    node,
    streamers,
    needs: needs as unknown as Context,

    /** Records a channel whose stream is active, and that the node does not have. */
    async channelOf(streamId: string, chunkDuration: string, organizationId: string | null = null): Promise<number> {
      const { id } = await db.channel.create({
        data: {
          organizationId,
          name: streamId,
          streamId,
          sourceType: 'udp',
          ingestConfig: { chunkDuration },
          transcodeConfig: {},
          origins: { create: { streamerId: node.id, streamId, ingestUrl, playbackUrl: '', status: 'active' } },
        },
      });
      return id;
    },

    originOf: (channelId: number) =>
      db.channelOrigin.findFirstOrThrow({ where: { channelId }, include: { channel: true, streamer: true } }),

    /** The node with what it was asked to do. */
    hearing() {
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
      return { orders, ends, needs: { ...needs, streamer: heard } as unknown as Context };
    },

    async close() {
      await db.$disconnect();
      await jobs.stop(0);
      await scratch.drop();
      await simulator.stop();
      await connections.close();
      await rm(folder, { recursive: true });
    },
  };
}
