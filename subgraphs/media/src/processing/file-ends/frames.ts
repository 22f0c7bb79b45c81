import type { Ending, FileEnd } from './ending.ts';
import { startOfSound, withoutTags } from './tags.ts';

/** A frame of sound, by its header. */
interface Frame {
  bytes: number;
  /** What is the same in all frames of a file. */
  kind: number;
}

type FrameAt = (bytes: Buffer, at: number) => Frame | null;

interface Codec {
  headerBytes: number;
  /** Reads the header of a frame; null where there is none, or not all of it. */
  frameAt: FrameAt;
}

/** So many headers of one kind, each where the one before says, are no accident. */
const CHAIN = 4;

/**
 * Reads how sound ends whose frames follow one another, each with its size in its header: the last one must be there as a
 * whole. What is no frame behind it, such as padding, is left out.
 */
function endOfFrames(end: Buffer, { headerBytes, frameAt }: Codec): FileEnd {
  for (let at = 0; at + CHAIN < end.length; at += 1) {
    const first = frameAt(end, at);
    if (!first || !isChain(end, at, frameAt)) continue;
    for (let frame: Frame | null = first; frame?.kind === first.kind; frame = frameAt(end, at)) at += frame.bytes;
    if (at > end.length || isBeginning(end.subarray(at), headerBytes)) return 'cut';
    at -= 1;
  }
  return 'whole';
}

function isChain(end: Buffer, from: number, frameAt: FrameAt): boolean {
  const kind = frameAt(end, from)?.kind;
  for (let at = from, frames = 0; frames < CHAIN; frames += 1) {
    const frame = frameAt(end, at);
    if (frame?.kind !== kind || frame === null) return false;
    at += frame.bytes;
  }
  return true;
}

/** Whether a header has just begun: all start with eleven bits that are set. */
const isBeginning = (rest: Buffer, headerBytes: number) =>
  rest.length > 0 && rest.length < headerBytes && rest[0] === 0xff && ((rest[1] ?? 0xff) & 0xe0) === 0xe0;

/** In kbit/s, for MPEG-1 by layer, and for MPEG-2 by layer. */
const bitrates = {
  one: [
    [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  ],
  two: [
    [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
    [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  ],
};
const sampleRates = [44_100, 48_000, 32_000];

/** Reads the header of a frame of MPEG audio (ISO 11172-3, 2.4.1.3; ISO 13818-3; MPEG-2.5). */
function mpegFrameAt(bytes: Buffer, at: number): Frame | null {
  if (at + 4 > bytes.length) return null;
  const header = bytes.readUInt32BE(at);
  const version = (header >>> 19) & 3; // 0 is MPEG-2.5, 2 is MPEG-2, 3 is MPEG-1
  const layer = 4 - ((header >>> 17) & 3);
  const rate = sampleRates[(header >>> 10) & 3];
  if (header >>> 21 !== 0x7ff || version === 1 || layer === 4 || rate === undefined) return null;
  const bitrate = bitrates[version === 3 ? 'one' : 'two'][layer - 1]?.[((header >>> 12) & 15) - 1];
  if (bitrate === undefined) return null; // of free format: its size is not stated
  const samplesPerSecond = version === 3 ? rate : rate >> (version === 2 ? 1 : 2);
  const padding = (header >>> 9) & 1;
  const kind = header & 0xfffe_0c00;
  if (layer === 1) return { bytes: (Math.floor((12_000 * bitrate) / samplesPerSecond) + padding) * 4, kind };
  const factor = layer === 3 && version !== 3 ? 72_000 : 144_000;
  return { bytes: Math.floor((factor * bitrate) / samplesPerSecond) + padding, kind };
}

/** Reads the header of a frame of AAC in ADTS (ISO 14496-3, 1.A.2.2). */
function adtsFrameAt(bytes: Buffer, at: number): Frame | null {
  if (at + 7 > bytes.length) return null;
  const header = bytes.readUInt32BE(at);
  const length = (bytes.readUIntBE(at + 3, 3) >>> 5) & 0x1fff;
  return header >>> 20 === 0xfff && ((header >>> 17) & 3) === 0 && length >= 7
    ? { bytes: length, kind: header & 0xfffe_fc00 }
    : null;
}

export const endOfAdts = ({ tail }: Ending): FileEnd =>
  endOfFrames(withoutTags(tail), { headerBytes: 7, frameAt: adtsFrameAt });

/** Reads how an MP3 or MP2 ends: with a whole frame, and not before the bytes that the header of LAME and Xing states. */
export async function endOfMpegAudio({ head, tail, size, read }: Ending): Promise<FileEnd> {
  const at = startOfSound(head);
  const stated = bytesInXing(await read(at, 256));
  if (stated !== null && at + stated > size) return 'cut';
  return endOfFrames(withoutTags(tail), { headerBytes: 4, frameAt: mpegFrameAt });
}

const [HAS_FRAMES, HAS_BYTES] = [1, 2];

/** Returns how many bytes the sound has, as its first frame says (by the source of LAME, VbrTag.c); null when it does not. */
function bytesInXing(first: Buffer): number | null {
  const at = ['Xing', 'Info']
    .map((mark) => first.indexOf(mark, 0, 'latin1'))
    .find((found) => found >= 13 && found <= 36);
  if (!mpegFrameAt(first, 0) || at === undefined || at + 16 > first.length) return null;
  const flags = first.readUInt32BE(at + 4);
  return flags & HAS_BYTES ? first.readUInt32BE(at + (flags & HAS_FRAMES ? 12 : 8)) : null;
}
