import type { Ending, FileEnd } from './ending.ts';
import { startOfSound, withoutTags } from './tags.ts';

/** Tables of checksums: eight bits for the header of a frame, sixteen for all of it (RFC 9639, 9.1.8 and 9.3). */
const crc8 = tableOf(0x07, 8);
const crc16 = tableOf(0x8005, 16);

function tableOf(polynomial: number, bits: number): Uint16Array {
  const top = 2 ** (bits - 1);
  return Uint16Array.from({ length: 256 }, (_, byte) => {
    let rest = byte << (bits - 8);
    for (let bit = 0; bit < 8; bit += 1) rest = rest & top ? (rest << 1) ^ polynomial : rest << 1;
    return rest & (2 ** bits - 1);
  });
}

const checksumOf = (bytes: Buffer, table: Uint16Array, bits: number): number => {
  let sum = 0;
  for (const byte of bytes) sum = ((sum << 8) & (2 ** bits - 1)) ^ (table[((sum >> (bits - 8)) ^ byte) & 0xff] ?? 0);
  return sum;
};

/** What the file says of itself (STREAMINFO, 8.2). */
interface Info {
  /** Samples of a block, where all have the same number. */
  blockSize: number;
  /** 0 where it does not say. */
  samples: number;
}

function infoIn(head: Buffer): Info | null {
  const at = head.toString('latin1', 0, 4) === 'fLaC' ? 0 : startOfSound(head);
  if (head.toString('latin1', at, at + 4) !== 'fLaC' || at + 26 > head.length) return null;
  return {
    blockSize: head.readUInt16BE(at + 8),
    samples: ((head[at + 21] ?? 0) & 15) * 2 ** 32 + head.readUInt32BE(at + 22),
  };
}

/** A wrong frame is hardly ever found within another one: its header has a checksum. */
const MOST_TRIES = 4;
/** A checksum may end with zeros, as padding does. */
const CHECKSUM_BYTES = 2;

/**
 * Reads how a FLAC file ends (RFC 9639): with a frame whose checksum is right, and which is the last one when the file
 * states how many samples it has.
 */
export function endOfFlac({ head, tail }: Ending): FileEnd {
  const info = infoIn(head);
  if (!info) return 'whole';
  const end = withoutTags(tail);
  const used = end.subarray(0, end.findLastIndex((byte) => byte !== 0) + 1).length;
  const ends = [...new Set([end.length, used, used + 1, used + CHECKSUM_BYTES])].filter((to) => to <= end.length);
  let tries = 0;
  for (let at = end.length - 6; at >= 0 && tries < MOST_TRIES; at -= 1) {
    const frame = frameAt(end, at, info);
    if (!frame) continue;
    tries += 1;
    if (ends.some((to) => checksumOf(end.subarray(at, to), crc16, 16) === 0))
      return frame.until < info.samples ? 'cut' : 'whole';
  }
  return tries > 0 ? 'cut' : 'whole';
}

/** Reads the header of a frame (9.1); `until` is the number of samples up to its end. */
function frameAt(bytes: Buffer, at: number, info: Info): { until: number } | null {
  const sync = bytes.readUInt16BE(at);
  if (sync !== 0xfff8 && sync !== 0xfff9) return null;
  const [sizeCode, rateCode] = [(bytes[at + 2] ?? 0) >> 4, (bytes[at + 2] ?? 0) & 15];
  const first = bytes[at + 4] ?? 0;
  const numberBytes = first < 0x80 ? 1 : Math.clz32(~(first << 24));
  const sizeBytes = sizeCode === 6 ? 1 : sizeCode === 7 ? 2 : 0;
  const rateBytes = rateCode === 12 ? 1 : rateCode === 13 || rateCode === 14 ? 2 : 0;
  const sizeAt = at + 4 + numberBytes;
  const crcAt = sizeAt + sizeBytes + rateBytes;
  if (sizeCode === 0 || rateCode === 15 || crcAt >= bytes.length) return null;
  if (checksumOf(bytes.subarray(at, crcAt), crc8, 8) !== bytes[crcAt]) return null;
  const number = bytes
    .subarray(at + 5, sizeAt)
    .reduce((sum, byte) => sum * 64 + (byte & 0x3f), numberBytes === 1 ? first : first & (0x7f >> numberBytes));
  const samples = sizeBytes > 0 ? bytes.readUIntBE(sizeAt, sizeBytes) + 1 : samplesOf(sizeCode);
  return { until: (sync === 0xfff9 ? number : number * info.blockSize) + samples };
}

function samplesOf(code: number): number {
  if (code === 1) return 192;
  return code < 6 ? 576 << (code - 2) : 256 << (code - 8);
}
