import { appendFile, open, rm } from 'node:fs/promises';

import { CannotRead, type Transcoder } from '#ports/transcoder.ts';
import type { Streams } from './streams.ts';

interface Source {
  file: string;
  streams: Pick<Streams, 'video'>;
}

/** Decodes the last second of a picture to find out whether its last frame is there only in part. */
export async function isLastFrameTorn(
  transcoder: Transcoder,
  { file, streams: { video } }: Source,
  signal: AbortSignal,
): Promise<boolean> {
  if (!video) return false;
  try {
    const last = { file, index: video.index, codec: video.codec };
    return video.codec === 'hevc'
      ? await changesWithMore(transcoder, last, signal)
      : await isConcealed(transcoder, last, signal);
  } catch (error) {
    if (signal.aborted || !(error instanceof CannotRead)) throw error;
    return false; // no frame of it at all
  }
}

interface Last {
  file: string;
  index: number;
}

const LAST_SECOND = ['-sseof', '-1'];
const TIMEOUT_MS = 120_000;

/** What the decoders of H.264 and MPEG-2 say of a frame that is there only in part. */
const concealed = /^\[[^\]]+\] concealing \d+ DC/m;

async function isConcealed(transcoder: Transcoder, { file, index }: Last, signal: AbortSignal): Promise<boolean> {
  const decoding = { input: file, before: LAST_SECOND, after: ['-map', `0:${index}`, '-f', 'null', '-'] };
  return concealed.test(await transcoder.convert(decoding, { signal, timeoutMs: TIMEOUT_MS }));
}

/** What ffmpeg says of an access unit of HEVC that breaks off before its picture begins. */
const onlyHeaders = /^\[[^\]]+\] missing picture in access unit/m;
/** Frames wait for each other: the last one in the file is among so many that are shown last (A.4.2). */
const MOST_WAITING = 16;
const checksumsIn = (said: string) => (said.match(/ checksum:\w+/g) ?? []).slice(-MOST_WAITING).join();

/**
 * The decoder of HEVC says nothing of a torn frame, and takes what it lacks from whatever follows. A slice that is whole
 * says where it ends (ITU-T H.265, 9.3.2.5, end_of_slice_segment_flag): more bytes behind it change no pixel.
 */
async function changesWithMore(transcoder: Transcoder, { file, index }: Last, signal: AbortSignal): Promise<boolean> {
  const tail = `${file}.tail.ts`;
  const options = { signal, timeoutMs: TIMEOUT_MS };
  // The headers of the stream may lie far in front of its last second.
  const copied = ['-c', 'copy', '-copyinkf', '-bsf:v', 'dump_extra=freq=all'];
  const decoded = () => transcoder.convert({ input: tail, after: ['-vf', 'showinfo', '-f', 'null', '-'] }, options);
  try {
    const after = ['-map', `0:${index}`, ...copied, '-f', 'mpegts', tail];
    await transcoder.convert({ input: file, before: LAST_SECOND, after }, options);
    const said = await decoded();
    if (onlyHeaders.test(said)) return true;
    await appendFile(tail, await noiseBehind(tail));
    return checksumsIn(said) !== checksumsIn(await decoded());
  } finally {
    await rm(tail, { force: true });
  }
}

const PACKET_BYTES = 188;
/** ffmpeg's number of the first stream that it writes. */
const PICTURE_PID = 0x100;
const MOST_TABLES_BYTES = 1_000 * PACKET_BYTES;

/** Returns a packet that continues the picture of a transport stream with bytes that mean nothing (ISO 13818-1, 2.4.3). */
async function noiseBehind(file: string): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const from = Math.max(0, size - MOST_TABLES_BYTES);
    const { buffer: end } = await handle.read(Buffer.alloc(size - from), 0, size - from, from);
    const isPicture = (at: number) => (end.readUInt16BE(at + 1) & 0x1fff) === PICTURE_PID;
    let last = end.length - PACKET_BYTES;
    while (last >= 0 && !isPicture(last)) last -= PACKET_BYTES;
    const packet = Buffer.from(Array.from({ length: PACKET_BYTES }, (_, at) => (at * 167 + 89) | 1)); // odd: no start code
    packet.writeUInt32BE(0x4701_0010 | (((end[last + 3] ?? 0) + 1) & 15)); // it begins nothing, and has no stuffing
    return packet;
  } finally {
    await handle.close();
  }
}
