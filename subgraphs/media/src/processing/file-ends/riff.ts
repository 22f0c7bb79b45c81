import type { Ending, FileEnd, ReadAt } from './ending.ts';

/** Some programs count the header as well. */
const RIFF_TOLERANCE = 8;
/** In all, within one another or not: each is read by itself. */
const MOST_CHUNKS = 10_000;

/** Sizes that programs write which can't go back to correct them: of ffmpeg, SoX and arecord, when they write to a pipe. */
const isPlaceholder = (stated: number) =>
  stated === 0 || stated >= 0xffff_f000 || (stated >= 0x7fff_f000 && stated <= 0x8000_0100);

/**
 * Reads how an AVI, WAV or WebP file ends: each of its chunks states its size, also those within the outermost ones
 * (Multimedia Programming Interface 1.0, "RIFF"; OpenDML 1.02; EBU Tech 3306 for sizes of 64 bits).
 */
export async function endOfRiff({ read, size }: Pick<Ending, 'read' | 'size'>): Promise<FileEnd> {
  const chunks = { left: MOST_CHUNKS };
  for (let at = 0; at + 12 <= size && chunks.left > 0; chunks.left -= 1) {
    const outer = await chunkAt(read, at);
    if (!outer || !/^(RIFF|RF64|BW64)$/.test(outer.name)) return 'whole';
    const isOpen = outer.name !== 'RIFF' || isPlaceholder(outer.stated);
    const end = at + 8 + outer.stated;
    if (!isOpen && end > size + RIFF_TOLERANCE) return 'cut';
    const inner = await endOfChunks(read, { at: at + 12, until: isOpen ? size : end, size }, chunks);
    if (isOpen || inner !== 'whole') return inner;
    at = end + (outer.stated % 2);
  }
  return 'whole';
}

/** Walks the chunks within an outermost one. */
async function endOfChunks(
  read: ReadAt,
  { at: from, until, size }: { at: number; until: number; size: number },
  chunks: { left: number },
): Promise<FileEnd> {
  let long = 0; // the size of `data` where it has 64 bits
  for (let at = from; at + 8 <= Math.min(until, size) && chunks.left > 0; chunks.left -= 1) {
    const chunk = await chunkAt(read, at);
    if (!chunk || !/^[\w ]{4}$/.test(chunk.name)) return 'whole'; // padding, or none of ours
    if (chunk.name === 'ds64') long = await longAt(read, at + 16);
    const is64 = chunk.name === 'data' && chunk.stated === 0xffff_ffff && long > 0;
    if (chunk.name === 'data' && !is64 && isPlaceholder(chunk.stated)) return 'unstated';
    if (chunk.name === 'LIST' && (chunk.stated < 4 || isPlaceholder(chunk.stated))) return 'whole'; // never finished
    const stated = is64 ? long : chunk.stated;
    if (at + 8 + stated > size) return 'cut';
    at += 8 + stated + (stated % 2);
  }
  return 'whole';
}

async function chunkAt(read: ReadAt, at: number): Promise<{ name: string; stated: number } | null> {
  const header = await read(at, 8);
  return header.length < 8 ? null : { name: header.toString('latin1', 0, 4), stated: header.readUInt32LE(4) };
}

async function longAt(read: ReadAt, at: number): Promise<number> {
  const bytes = await read(at, 8);
  return bytes.length < 8 ? 0 : Number(bytes.readBigUInt64LE());
}
