import type { FileEnd } from './file-end.ts';

/** Reads bytes of a file; fewer at its end. */
export type ReadAt = (at: number, bytes: number) => Promise<Buffer>;

/** Some programs count the header as well. */
const RIFF_TOLERANCE = 8;
const UNKNOWN = 0xffff_ffff;

/** Reads how an AVI or WAV file ends: each of its chunks states its size. Recorders that can't go back state none. */
export async function endOfRiff(read: ReadAt, size: number): Promise<FileEnd> {
  for (let at = 0; at + 8 <= size;) {
    const header = await read(at, 8);
    const stated = header.readUInt32LE(4);
    if (!/^RIF[FX]$/.test(header.toString('latin1', 0, 4)) || stated === 0 || stated === UNKNOWN) return 'whole';
    if (at + stated > size + RIFF_TOLERANCE - 8) return 'cut';
    at += 8 + stated + (stated % 2);
  }
  return 'whole';
}

const ASF_FILE_PROPERTIES = Buffer.from('a1dcab8c47a9cf118ee400c00c205365', 'hex');
const ASF_BROADCAST = 1;
const HEAD_BYTES = 2 ** 16;

/** Reads how a Windows Media file (ASF) ends: its properties state its size, except those of a broadcast. */
export async function endOfAsf(read: ReadAt, size: number): Promise<FileEnd> {
  const head = await read(0, HEAD_BYTES);
  const at = head.indexOf(ASF_FILE_PROPERTIES);
  if (at < 0 || at + 92 > head.length || head.readUInt32LE(at + 88) & ASF_BROADCAST) return 'whole';
  return head.readBigUInt64LE(at + 40) > BigInt(size) ? 'cut' : 'whole';
}

/** The begin of the keys of its partitions, and which of them are the last parts of a file (SMPTE ST 377-1). */
const MXF_PARTITION = Buffer.from('060e2b34020501010d01020101', 'hex');
const MXF_LAST = [0x04, 0x11]; // the footer, and the index of all partitions behind it

/** Reads how an MXF file ends: its header says where the footer is, or else the last parts are looked for. */
export async function endOfMxf(read: ReadAt, size: number, tail: Buffer): Promise<FileEnd> {
  const head = await read(0, HEAD_BYTES);
  const key = head.indexOf(MXF_PARTITION);
  const length = head[key + 16] ?? 0;
  const value = key + 17 + (length & 0x80 ? length & 0x7f : 0);
  const footerAt = key >= 0 && value + 32 <= head.length ? head.readBigUInt64BE(value + 24) : 0n;
  if (footerAt > 0n) return footerAt >= BigInt(size) ? 'cut' : 'whole';
  for (let at = tail.indexOf(MXF_PARTITION); at >= 0; at = tail.indexOf(MXF_PARTITION, at + 1))
    if (MXF_LAST.includes(tail[at + MXF_PARTITION.length] ?? 0)) return 'whole';
  return 'cut';
}

const MOST_BOXES = 200_000;
const MOST_INDEX_BYTES = 2 ** 20;

/**
 * Reads how an MP4 file ends. A fragmented one may end behind any fragment, and most say nothing of how many there are; but
 * ffmpeg, by which many programs record, writes an index behind the last one (`mfra`) when it ends by itself.
 */
export async function endOfMp4(read: ReadAt, size: number): Promise<FileEnd> {
  const seen = new Set<string>();
  let isByFfmpeg = false;
  for (let at = 0, boxes = 0; at + 8 <= size; boxes += 1) {
    const { type, bytes } = await boxAt(read, at, size);
    if (!/^[\w ]{4}$/.test(type) || bytes < 8 || boxes > MOST_BOXES) return 'whole'; // padding, or none of ours
    if (at + bytes > size) return 'cut';
    if (type === 'moov') isByFfmpeg = (await read(at, Math.min(bytes, MOST_INDEX_BYTES))).includes('Lavf');
    seen.add(type);
    at += bytes;
  }
  const isForStreaming = seen.has('styp') || seen.has('sidx');
  return isByFfmpeg && seen.has('moof') && !seen.has('mfra') && !isForStreaming ? 'cut' : 'whole';
}

async function boxAt(read: ReadAt, at: number, size: number): Promise<{ type: string; bytes: number }> {
  const header = await read(at, 16);
  const [short, type] = [header.readUInt32BE(0), header.toString('latin1', 4, 8)];
  if (short === 1 && header.length === 16) return { type, bytes: Number(header.readBigUInt64BE(8)) };
  return { type, bytes: short === 0 ? size - at : short };
}
