import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { FastifyInstance } from 'fastify';

import { streamerApi } from './streamer/api.ts';
import { faultSwitch, type Fault } from './streamer/faults.ts';
import { makeLoop } from './streamer/loop.ts';
import { streamerPlayback } from './streamer/playback.ts';
import { openStreams, writeWhole } from './streamer/streams.ts';

interface Options {
  /** Holds its streams, its ports and its loop; made when missing. */
  folder: string;
  /** Without it: the port of the last start, else any free one. */
  apiPort?: number;
  httpPort?: number;
  /** Says where the ffmpeg is that makes the loop, once. */
  findFfmpeg: () => Promise<string>;
}

/**
 * A streamer node on 127.0.0.1: an API port that takes orders and an HTTP port that plays.
 *
 * Every stream that was ordered plays the same twelve seconds of test picture, over and over, as
 * live HLS computed from the clock: nothing runs between two requests, and a restart skips nothing.
 *
 * Leaves out: reading the ingest, transcoding, recording, authentication, statistics, and all other
 * formats of output. It has what a node has not:
 * `POST /sim/faults {"fault": 503 | "hang" | "reset", "times": 1}` spoils the next answers of `/api`.
 */
export async function startStreamer({ folder, findFfmpeg, ...asked }: Options) {
  await mkdir(folder, { recursive: true });
  const streams = await openStreams(folder);
  const faults = faultSwitch();
  const loop = makeLoop(folder, findFfmpeg);
  loop.catch(() => undefined); // whoever wants to play is told

  const last = await lastPorts(folder);
  const api = streamerApi({ streams, faults, startedAt: Date.now() });
  const playback = streamerPlayback({ streams, loop, now: () => Date.now() });
  const apiPort = await listen(api, asked.apiPort, last.apiPort);
  const httpPort = await listen(playback, asked.httpPort, last.httpPort);
  await writeWhole(join(folder, 'ports.json'), { apiPort, httpPort });

  return {
    apiPort,
    httpPort,
    /** Spoils the next answers of its API. */
    failNext: (fault: Fault, times = 1) => faults.next(fault, times),
    async stop() {
      await Promise.all([api.close(), playback.close()]);
      await loop.catch(() => undefined);
    },
  };
}

interface Ports {
  apiPort?: number;
  httpPort?: number;
}

async function lastPorts(folder: string): Promise<Ports> {
  try {
    return JSON.parse(await readFile(join(folder, 'ports.json'), 'utf8')) as Ports;
  } catch {
    return {};
  }
}

/** An asked-for port or none; a remembered one only while it is free. */
async function listen(app: FastifyInstance, asked: number | undefined, remembered = 0): Promise<number> {
  const port = asked ?? remembered;
  try {
    return Number(new URL(await app.listen({ host: '127.0.0.1', port })).port);
  } catch (error) {
    if (asked !== undefined || !remembered) throw error;
    return listen(app, 0);
  }
}
