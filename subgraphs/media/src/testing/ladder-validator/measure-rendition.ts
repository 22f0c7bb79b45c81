// For tests: measures with ffprobe and ffmpeg what the segments of a rendition contain.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { z } from 'zod';

import type { Tools } from '#adapters/tools.ts';
import type { Faults } from './read-playlist.ts';

const run = promisify(execFile);
const TIMEOUT_MS = 120_000;

/** How many segments one ffmpeg decodes. */
const AT_ONCE = 40;

const seconds = z.coerce.number().optional();

const Measured = z.object({
  packets: z.array(
    z.object({
      stream_index: z.number(),
      pts_time: seconds,
      dts_time: seconds,
      duration_time: seconds,
      flags: z.string(),
      pos: z.coerce.number().optional(),
    }),
  ),
  streams: z.array(
    z.object({
      index: z.number(),
      codec_type: z.string(),
      codec_name: z.string(),
      profile: z.coerce.string().optional(),
      level: z.number().optional(),
      width: z.number().optional(),
      height: z.number().optional(),
      sample_aspect_ratio: z.string().optional(),
      pix_fmt: z.string().optional(),
      color_transfer: z.string().optional(),
      field_order: z.string().optional(),
      channels: z.number().optional(),
    }),
  ),
});

const entries =
  'packet=stream_index,pts_time,dts_time,duration_time,flags,pos:stream=index,codec_type,codec_name,profile,level,width,' +
  'height,sample_aspect_ratio,pix_fmt,color_transfer,field_order,channels';

/** A segment as it was published, behind its initialization segment. */
export interface Piece {
  uri: string;
  init: Buffer;
  bytes: Buffer;
}

export interface Packet {
  /** Of its segment in the playlist. */
  segment: number;
  /** In seconds. */
  from: number;
  decodedAt: number;
  lasts: number;
  isKeyFrame: boolean;
}

export type Stream = z.output<typeof Measured>['streams'][number] & { packets: Packet[] };

/** The same bytes are measured once, wherever they were published. */
const known = new Map<string, Promise<unknown>>();

function once<Result>(what: string, pieces: readonly Piece[], measure: () => Promise<Result>): Promise<Result> {
  const hash = createHash('sha256').update(what);
  for (const { init, bytes } of pieces) hash.update(`${init.length} ${bytes.length} `).update(init).update(bytes);
  const key = hash.digest('base64');
  const result = known.get(key) ?? measure();
  known.set(key, result);
  return result as Promise<Result>;
}

/** Returns the streams of a rendition with all their packets, and writes all of it to a file. */
export async function measureRendition(
  { ffprobe }: Pick<Tools, 'ffprobe'>,
  pieces: readonly Piece[],
  file: string,
): Promise<Stream[]> {
  await writeFile(file, Buffer.concat([pieces[0]?.init ?? Buffer.alloc(0), ...pieces.map(({ bytes }) => bytes)]));
  return once('streams', pieces, () => streamsIn(ffprobe, pieces, file));
}

async function streamsIn(ffprobe: string, pieces: readonly Piece[], file: string): Promise<Stream[]> {
  const starts = [pieces[0]?.init.length ?? 0];
  for (const { bytes } of pieces) starts.push((starts.at(-1) ?? 0) + bytes.length);
  const options = { timeout: TIMEOUT_MS, maxBuffer: 2 ** 26 };
  const { stdout } = await run(ffprobe, ['-v', 'error', '-show_entries', entries, '-of', 'json', file], options);
  const { packets, streams } = Measured.parse(JSON.parse(stdout));
  return streams.map((stream) => ({
    ...stream,
    packets: packets
      .filter(({ stream_index: index }) => index === stream.index)
      .map(({ pts_time: from = 0, dts_time: decodedAt = from, duration_time: lasts = 0, flags, pos = 0 }) => ({
        segment: starts.findLastIndex((start) => start <= pos),
        from,
        decodedAt,
        lasts,
        isKeyFrame: flags.startsWith('K'),
      })),
  }));
}

/** Decodes every segment on its own; returns whatever ffmpeg says about it. */
export const decodeEach = (
  { ffmpeg }: Pick<Tools, 'ffmpeg'>,
  pieces: readonly Piece[],
  folder: string,
): Promise<Faults> =>
  once('decoding', pieces, async () => {
    const faults: Faults = [];
    for (let from = 0; from < pieces.length; from += AT_ONCE) {
      const some = pieces.slice(from, from + AT_ONCE);
      const files = some.map((_piece, at) => join(folder, `piece-${from + at}.mp4`));
      await Promise.all(some.map(({ init, bytes }, at) => writeFile(files[at] ?? '', Buffer.concat([init, bytes]))));
      const maps = files.flatMap((_file, at) => ['-map', String(at)]);
      const args = [...files.flatMap((file) => ['-i', file]), ...maps, '-max_muxing_queue_size', '9999'];
      const { stderr } = await run(ffmpeg, ['-v', 'error', '-nostdin', ...args, '-f', 'null', '-'], {
        timeout: TIMEOUT_MS,
      }).catch((error: unknown) => ({ stderr: String(error) }));
      if (stderr.trim() !== '')
        faults.push(`${some[0]?.uri ?? ''} and ${some.length - 1} more: ffmpeg says "${stderr.trim()}"`);
    }
    return faults;
  });
