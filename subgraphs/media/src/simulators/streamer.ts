import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { FastifyInstance } from 'fastify';

import { streamerApi } from './streamer/api.ts';
import { faultSwitch, type Fault } from './streamer/faults.ts';
import { makeLoop } from './streamer/loop.ts';
import { streamerPlayback } from './streamer/playback.ts';
import { openStreams, writeWhole } from './streamer/streams.ts';

interface Options {
  /** Keeps its streams, ports and loop; created when missing. */
  folder: string;
  /** Default: the port of the last start, else any free one. */
  apiPort?: number;
  httpPort?: number;
  /** Returns the path of the ffmpeg that makes the loop; called once at most. */
  findFfmpeg: () => Promise<string>;
}

/**
 * Starts a simulated streamer node on 127.0.0.1, with an API port and an HTTP port for playback.
 *
 * Every stream plays the same twelve seconds of test picture over and over, as live HLS computed from the clock: nothing
 * runs between two requests, and a restart skips nothing.
 *
 * Leaves out: reading the ingest, transcoding, recording, authentication, statistics, and all other output formats.
 * In addition to a real node, `POST /sim/faults {"fault": 503 | "hang" | "reset", "times": 1}` breaks the next responses
 * of `/api`.
 */
export async function startStreamer({ folder, findFfmpeg, ...ports }: Options) {
  await mkdir(folder, { recursive: true });
  const streams = await openStreams(folder);
  const faults = faultSwitch();
  const loop = makeLoop(folder, findFfmpeg);
  loop.catch(() => undefined); // playback requests report the failure

  const last = await lastPorts(folder);
  const api = streamerApi({ streams, faults, startedAt: Date.now() });
  const playback = streamerPlayback({ streams, loop, now: () => Date.now() });
  const apiPort = await listen(api, ports.apiPort, last.apiPort);
  const httpPort = await listen(playback, ports.httpPort, last.httpPort);
  await writeWhole(join(folder, 'ports.json'), { apiPort, httpPort });

  return {
    apiPort,
    httpPort,
    /** Breaks the next responses of its API. */
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

/** Listens on the requested port or fails; on a remembered one only while it is free. */
async function listen(app: FastifyInstance, requested: number | undefined, remembered = 0): Promise<number> {
  const port = requested ?? remembered;
  try {
    return Number(new URL(await app.listen({ host: '127.0.0.1', port })).port);
  } catch (error) {
    if (requested !== undefined || !remembered) throw error;
    return listen(app, 0);
  }
}
