import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';

import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';

import type { LoopFiles } from './loop.ts';
import { fileOf, livePlaylist } from './playlist.ts';
import { LONGEST_STREAM_ID, type Streams } from './streams.ts';

/** How long a new stream has been playing already, so that its first playlist is full. */
const LEAD_MS = 60_000;

interface Parts {
  streams: Streams;
  loop: Promise<LoopFiles>;
  /** Milliseconds since 1970. */
  now(): number;
}

/** The HTTP port for playback, open to any web page. */
export function streamerPlayback({ streams, loop, now }: Parts): FastifyInstance {
  const app = Fastify({ forceCloseConnections: true, routerOptions: { maxParamLength: LONGEST_STREAM_ID } });

  app.addHook('onRequest', async (_request, reply) => {
    reply.header('access-control-allow-origin', '*');
  });
  app.get<{ Params: { streamId: string; file: string } }>('/live/:streamId/:file', async ({ params }, reply) => {
    const stream = streams.find(params.streamId);
    if (!stream) return reply.code(404).send({ error: 'no such stream' });
    const files = await loop;
    if (params.file === 'playlist.m3u8') {
      reply.header('content-type', 'application/vnd.apple.mpegurl').header('cache-control', 'no-cache');
      return livePlaylist(files, Date.parse(stream.createdAt) - LEAD_MS, now());
    }
    if (params.file === 'init.mp4') return sendFile(reply, join(files.folder, 'init.mp4'));
    const number = /^segment-(\d{1,15})\.m4s$/.exec(params.file)?.[1];
    if (!number) return reply.code(404).send({ error: 'no such file' });
    return sendFile(reply, join(files.folder, `${fileOf(files, Number(number))}.m4s`));
  });
  return app;
}

/** Sends a file with its length, by which players measure their bandwidth. */
async function sendFile(reply: FastifyReply, path: string) {
  const { size } = await stat(path);
  reply.headers({ 'content-type': 'video/mp4', 'content-length': size, 'cache-control': 'max-age=3600' });
  return reply.send(createReadStream(path));
}
