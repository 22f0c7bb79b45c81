import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { loopback, openAddressPolicy } from '@foyer/shared/http/addresses/address-policy';
import { parse, type types } from 'hls-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startStreamer } from '../simulators/streamer.ts';
import { openNodeConnections } from './node-connections.ts';
import { streamer } from './streamer.ts';

const { path: ffmpegPath } = createRequire(import.meta.url)('@ffmpeg-installer/ffmpeg') as { path: string };
const connections = openNodeConnections({
  timeoutMs: 30_000,
  addresses: openAddressPolicy({ networks: loopback, services: [] }),
});
const streamers = streamer({ connections, timeoutMs: 30_000 });
/** For a node that never answers. */
const impatient = streamer({ connections, timeoutMs: 500 });
const order = { url: 'udp://239.0.0.1:1234', chunkDuration: '500ms' };

let folder: string;
let simulator: Awaited<ReturnType<typeof startStreamer>>;
let node: { host: string; apiPort: number };

const start = async () => {
  simulator = await startStreamer({ folder, findFfmpeg: async () => ffmpegPath });
  node = { host: '127.0.0.1', apiPort: simulator.apiPort };
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-streamer-'));
  await start();
});

afterAll(async () => {
  await simulator.stop();
  await connections.close();
  await rm(folder, { recursive: true });
});

const reason = (promise: Promise<unknown>) =>
  promise.then(
    () => 'nothing',
    (error: { reason: string }) => error.reason,
  );

describe('a streamer node', () => {
  it('answers a ping', async () => {
    await expect(streamers.ping(node)).resolves.toBeUndefined();
  });

  it('creates a stream once, and reports when it exists', async () => {
    expect(await streamers.createStream(node, 'once.stream', order)).toBe('created');
    expect(await streamers.createStream(node, 'once.stream', order)).toBe('existed');
    expect(await streamers.hasStream(node, 'once.stream')).toBe(true);
  });

  it('ends a stream; ending it again changes nothing', async () => {
    await streamers.createStream(node, 'brief.stream', order);
    await streamers.deleteStream(node, 'brief.stream');
    await streamers.deleteStream(node, 'brief.stream');
    expect(await streamers.hasStream(node, 'brief.stream')).toBe(false);
  });

  it('refuses an invalid order', async () => {
    const call = streamers.createStream(node, 'bad.stream', { ...order, chunkDuration: 'half a second' });
    expect(await reason(call)).toBe('NODE_REFUSED');
  });

  it('has streams whose names need escaping', async () => {
    expect(await streamers.createStream(node, '新闻 a/b.stream', order)).toBe('created');
    expect(await streamers.hasStream(node, '新闻 a/b.stream')).toBe(true);
  });

  it('has and plays a stream whose name is as long as that of a channel may be', async () => {
    const streamId = `${'ж'.repeat(200)}.stream`;
    expect(await streamers.createStream(node, streamId, order)).toBe('created');
    const path = `live/${encodeURIComponent(streamId)}/playlist.m3u8`;
    expect((await fetch(`http://127.0.0.1:${simulator.httpPort}/${path}`)).status).toBe(200);
    await streamers.deleteStream(node, streamId);
    expect(await streamers.hasStream(node, streamId)).toBe(false);
  });

  it('that answers 500 without having the stream leaves that unconfirmed', async () => {
    simulator.failNext(500);
    expect(await streamers.createStream(node, 'ghost.stream', order)).toBe('unconfirmed');
  });

  it.each([
    ['hang', 'NODE_TIMEOUT'],
    ['reset', 'NODE_BROKE_OFF'],
    [503, 'NODE_REFUSED'],
    [302, 'NODE_REFUSED'],
  ] as const)('that answers a ping with %s is told by the reason %s', async (fault, expected) => {
    simulator.failNext(fault);
    expect(await reason((fault === 'hang' ? impatient : streamers).ping(node))).toBe(expected);
  });

  it('has its limit of time also while a request waits for a connection, which hanging ones take', async () => {
    const silent = createServer((request) => void request.resume()).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const hanging = { host: '127.0.0.1', apiPort: (silent.address() as AddressInfo).port };
    const others = Array.from({ length: 16 }, () => reason(streamers.hasStream(hanging, 'any')));
    await expect.poll(() => promisify(silent.getConnections.bind(silent))()).toBe(16);

    expect(await reason(impatient.ping(hanging))).toBe('NODE_TIMEOUT');

    silent.closeAllConnections();
    silent.close();
    expect(await Promise.all(others)).toEqual(Array(16).fill('NODE_BROKE_OFF'));
  });

  it('is unreachable when it is not running', async () => {
    expect(await reason(streamers.ping({ host: '127.0.0.1', apiPort: 1 }))).toBe('NODE_UNREACHABLE');
    expect(await reason(streamers.ping({ host: 'no-such-node.invalid', apiPort: 80 }))).toBe('NODE_UNREACHABLE');
  });

  it('is never contacted at a forbidden address, given directly or by name', async () => {
    expect(await reason(streamers.ping({ host: '169.254.169.254', apiPort: 80 }))).toBe('NODE_ADDRESS_FORBIDDEN');

    const guarded = openNodeConnections({
      timeoutMs: 30_000,
      addresses: openAddressPolicy({ networks: [], services: [] }),
    });
    const strict = streamer({ connections: guarded, timeoutMs: 30_000 });
    expect(await reason(strict.ping(node))).toBe('NODE_ADDRESS_FORBIDDEN');
    expect(await reason(strict.ping({ ...node, host: 'localhost' }))).toBe('NODE_ADDRESS_FORBIDDEN');
    await guarded.close();
  });

  it('plays a created stream live, and no other', async () => {
    await streamers.createStream(node, 'live.stream', order);
    const base = `http://127.0.0.1:${simulator.httpPort}/live/live.stream`;
    const playlist = parse(await (await fetch(`${base}/playlist.m3u8`)).text()) as types.MediaPlaylist;

    expect(playlist.segments).toHaveLength(6);
    for (const name of ['init.mp4', playlist.segments[0]?.uri ?? '', playlist.segments[5]?.uri ?? '']) {
      const piece = await fetch(`${base}/${name}`);
      expect([piece.status, (await piece.bytes()).subarray(4, 8).length]).toEqual([200, 4]);
    }
    expect((await fetch(`${base.replace('live.stream', 'other.stream')}/playlist.m3u8`)).status).toBe(404);
  }, 60_000);

  it('has its streams and its ports again after a restart', async () => {
    const { apiPort, httpPort } = simulator;
    await simulator.stop();
    await start();

    expect([simulator.apiPort, simulator.httpPort]).toEqual([apiPort, httpPort]);
    expect(await streamers.hasStream(node, 'once.stream')).toBe(true);
  });
});
