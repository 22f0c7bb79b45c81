import type { FileEnd } from './ending.ts';

/** The sizes of packets of MPEG-TS: plain, with time stamps, with error correction. */
const TS_PACKETS = [188, 192, 204];
const SYNC = 0x47;
const PES_HEADER_BYTES = 6;

/** What is known of the last packet (PES) of a stream. */
interface LastPes {
  /** Bytes that are still missing; null where the packet does not state its length, as those of pictures. */
  missing: number | null;
  /** Whether it fills its last TS packet, which a complete one hardly ever does. */
  isFull: boolean;
}

/**
 * Reads how a transport stream ends (ISO 13818-1).
 *
 * @param tail the last bytes of the file
 * @param size of the whole file
 */
export function endOfTs(tail: Buffer, size: number): FileEnd {
  const { packet, from } = packetsIn(tail) ?? packetsOf(tail, size);
  // Of 192 bytes, the first four are a time stamp.
  const stampBytes = packet === 192 ? 4 : 0;
  if (packet === 0 || (tail.length - from + stampBytes) % packet !== 0) return 'cut';
  const last = new Map<number, LastPes>();
  for (let at = from; at + 188 <= tail.length; at += packet) readPacket(tail.subarray(at, at + 188), last);
  const streams = [...last.values()];
  if (streams.some(({ missing }) => missing !== null && missing > 0)) return 'cut';
  return streams.some(({ missing, isFull }) => missing === null && isFull) ? 'suspect' : 'whole';
}

/** So many packets in a row show how long each is: a file may also be cut where the length of others fits. */
const ROW = 8;

function packetsIn(tail: Buffer): { packet: number; from: number } | null {
  for (const packet of TS_PACKETS)
    for (let from = 0; from < packet && from + ROW * packet <= tail.length; from += 1)
      if (Array.from({ length: ROW }).every((_, row) => tail[from + row * packet] === SYNC)) return { packet, from };
  return null;
}

/** The same by the size of the file; 0 where no length fits. */
function packetsOf(tail: Buffer, size: number): { packet: number; from: number } {
  const packet = TS_PACKETS.find((bytes) => size % bytes === 0) ?? 0;
  return { packet, from: packet === 0 ? 0 : (tail.length % packet) + (packet === 192 ? 4 : 0) };
}

function readPacket(packet: Buffer, last: Map<number, LastPes>): void {
  if (packet[0] !== SYNC) return;
  const pid = packet.readUInt16BE(1) & 0x1fff;
  const control = ((packet[3] ?? 0) >> 4) & 3;
  if ((control & 1) === 0) return; // no payload
  const payload = packet.subarray(4 + (control & 2 ? 1 + (packet[4] ?? 0) : 0));
  const isFull = (control & 2) === 0 || !isStuffed(packet.subarray(4));
  const begins = ((packet[1] ?? 0) & 0x40) !== 0;
  if (begins) {
    const isPes = payload.length >= PES_HEADER_BYTES && payload.readUIntBE(0, 3) === 1;
    if (!isPes) return void last.delete(pid); // a table
    const stated = payload.readUInt16BE(4);
    last.set(pid, { missing: stated === 0 ? null : stated + PES_HEADER_BYTES - payload.length, isFull });
    return;
  }
  const before = last.get(pid);
  if (before) last.set(pid, { missing: before.missing === null ? null : before.missing - payload.length, isFull });
}

/** Whether an adaptation field is longer than what it carries, as it is where a PES packet ends. */
function isStuffed(field: Buffer): boolean {
  const [length = 0, flags = 0] = field;
  const has = (bit: number) => (flags & bit) !== 0;
  // Flags, clock references, splice countdown; then private data and an extension, which state their lengths.
  let used = 1 + (has(0x10) ? 6 : 0) + (has(0x08) ? 6 : 0) + (has(0x04) ? 1 : 0);
  if (has(0x02)) used += 1 + (field[1 + used] ?? 0);
  if (has(0x01)) used += 1 + (field[1 + used] ?? 0);
  return length > used || length === 0;
}

const [PS_END, PS_PACK, PS_SYSTEM_HEADER] = [0xb9, 0xba, 0xbb];
const PACK_START = Buffer.from([0, 0, 1, PS_PACK]);

/** Reads how an MPEG program stream ends (ISO 13818-1): within a packet, behind the last one, or with a mark. */
export function endOfPs(tail: Buffer): FileEnd {
  for (let at = tail.indexOf(PACK_START); at >= 0 && at < tail.length;) {
    if (tail.length - at < PES_HEADER_BYTES) return 'cut';
    const code = tail.readUIntBE(at, 3) === 1 ? (tail[at + 3] ?? 0) : 0;
    if (code === PS_END) return 'whole';
    // What is no packet, such as padding, is left out.
    at = code < PS_PACK ? tail.indexOf(PACK_START, at + 1) : at + bytesOfPart(tail.subarray(at), code);
    if (at < 0) return 'whole';
    if (at > tail.length) return 'cut';
  }
  return 'suspect';
}

function bytesOfPart(part: Buffer, code: number): number {
  if (code >= PS_SYSTEM_HEADER) return PES_HEADER_BYTES + part.readUInt16BE(4);
  const isMpeg2 = (part[4] ?? 0) >> 6 === 1;
  return isMpeg2 ? 14 + ((part[13] ?? 0) & 7) : 12;
}

const SEQUENCE_END = Buffer.from([0, 0, 1, 0xb7]);
const MOST_PADDING = 64;

/** Reads how raw MPEG video ends (ISO 13818-2, 6.2.2): with a mark, which some encoders leave out. */
export function endOfMpegVideo(tail: Buffer): FileEnd {
  const at = tail.lastIndexOf(SEQUENCE_END);
  const padding = tail.subarray(at + SEQUENCE_END.length);
  return at >= 0 && padding.length <= MOST_PADDING && padding.every((byte) => byte === 0) ? 'whole' : 'suspect';
}
