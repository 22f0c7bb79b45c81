import { open } from 'node:fs/promises';

import { endOfAsf } from './asf.ts';
import { openEnding, type Ending, type FileEnd } from './ending.ts';
import { endOfFlac } from './flac.ts';
import { endOfFlv } from './flv.ts';
import { endOfAdts, endOfMpegAudio } from './frames.ts';
import { endOfMatroska } from './matroska.ts';
import { endOfMp4 } from './mp4.ts';
import { endOfMpegVideo, endOfPs, endOfTs } from './mpeg.ts';
import { endOfMxf } from './mxf.ts';
import { endOfOgg } from './ogg.ts';
import { endOfRiff } from './riff.ts';

/** More than the packets, pages and pauses of a second. */
const TAIL_BYTES = 4 * 2 ** 20;

/** By ffprobe's names of containers: all that the transcoder reads. */
const readers: Readonly<Record<string, (ending: Ending, lasts: number) => FileEnd | Promise<FileEnd>>> = {
  mp4: endOfMp4,
  matroska: endOfMatroska,
  mpegts: ({ tail, size }) => endOfTs(tail, size),
  mpeg: ({ tail }) => endOfPs(tail),
  mpegvideo: ({ tail }) => endOfMpegVideo(tail),
  avi: endOfRiff,
  flv: ({ tail }) => endOfFlv(tail),
  ogg: ({ tail }) => endOfOgg(tail),
  wav: endOfRiff,
  mp3: endOfMpegAudio,
  flac: endOfFlac,
  aac: endOfAdts,
  mxf: endOfMxf,
  asf: endOfAsf,
};

/**
 * Finds out by the marks of its container whether a video or a sound ends early.
 *
 * @param format ffprobe's names of the container; those of other containers are taken for whole
 * @param lasts when its last packet ends, in seconds
 */
export async function readMediaEnd(file: string, format: string, lasts: number): Promise<FileEnd> {
  const reader = format.split(',').flatMap((name) => readers[name] ?? [])[0];
  if (!reader) return 'whole';
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const read = async (at: number, bytes: number) => {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, at);
      return buffer.subarray(0, bytesRead);
    };
    return await reader(await openEnding(read, size, { tailBytes: TAIL_BYTES }), lasts);
  } finally {
    await handle.close();
  }
}
