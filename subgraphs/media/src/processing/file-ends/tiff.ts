import type { Ending, FileEnd, ReadAt } from './ending.ts';

/** The tags that say where pixels and further directories lie (TIFF 6.0, 8; TIFF Technical Note 1 for SubIFDs). */
const STRIPS = { offsets: 273, counts: 279 };
const TILES = { offsets: 324, counts: 325 };
const SUB_DIRECTORIES = 330;

const MOST_DIRECTORIES = 200;
const MOST_ENTRIES = 1_000;
/** More than a directory mostly has. */
const USUAL_BYTES = 2_048;
/** Of a list of strips or tiles only the last ones are looked at. */
const MOST_VALUES = 4_096;

/** How a file writes numbers: TIFF with 32 bits, BigTIFF with 64. */
interface Layout {
  isBig: boolean;
  number(bytes: Buffer, at: number, width: number): number;
}

interface Entry {
  count: number;
  /** Of a value, in bytes. */
  width: number;
  /** Where its values lie. */
  at: number;
}

/** Of a value, by its type: those of TIFF 6.0 (2), of Technical Note 1 and of BigTIFF. */
const widths = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8];
/** Tags of TIFF 6.0 itself are below it; programs that change a file may leave dangling places of others. */
const FIRST_PRIVATE_TAG = 600;

/**
 * Reads how a TIFF or BigTIFF ends: each directory, strip and tile must lie within the file. Raw pictures of cameras that
 * are built alike (DNG, NEF, CR2) are read as well.
 */
export async function endOfTiff({ read, size }: Pick<Ending, 'read' | 'size'>): Promise<FileEnd> {
  const header = await read(0, 16);
  if (header.length < 8) return 'cut';
  const isLittle = header[0] === 0x49;
  const number: Layout['number'] = (bytes, at, width) => {
    if (width === 0 || at + width > bytes.length) return 0; // of an unknown type, or not there
    if (width < 8) return isLittle ? bytes.readUIntLE(at, width) : bytes.readUIntBE(at, width);
    return Number(isLittle ? bytes.readBigUInt64LE(at) : bytes.readBigUInt64BE(at));
  };
  const isBig = number(header, 2, 2) === 43;
  const layout = { isBig, number };
  const waiting = [number(header, isBig ? 8 : 4, isBig ? 8 : 4)];
  const seen = new Set<number>();
  while (waiting.length > 0 && seen.size < MOST_DIRECTORIES) {
    const at = waiting.shift() ?? 0;
    if (at === 0 || seen.has(at)) continue;
    seen.add(at);
    const next = await readDirectory(read, { at, size, layout });
    if (!next) return 'cut';
    waiting.push(...next);
  }
  return 'whole';
}

/** Returns where further directories lie; null where a part of this one is missing. */
async function readDirectory(
  read: ReadAt,
  { at, size, layout }: { at: number; size: number; layout: Layout },
): Promise<number[] | null> {
  const { isBig, number } = layout;
  const [countWidth, entryBytes, pointer] = isBig ? [8, 20, 8] : [2, 12, 4];
  const start = await read(at, USUAL_BYTES);
  const count = number(start, 0, countWidth);
  const bytes = count * entryBytes;
  const end = at + countWidth + bytes + pointer;
  if (start.length < countWidth || end > size) return null;
  if (count > MOST_ENTRIES) return [];
  const list = (end - at <= start.length ? start : await read(at, end - at)).subarray(countWidth);
  const entries = new Map<number, Entry>();
  for (let each = 0; each < bytes; each += entryBytes) {
    const [tag, width] = [number(list, each, 2), widths[number(list, each + 2, 2)] ?? 0];
    const values = number(list, each + 4, pointer);
    const valueAt = each + entryBytes - pointer;
    const isInline = values * width <= pointer;
    const place = isInline ? at + countWidth + valueAt : number(list, valueAt, pointer);
    if (tag < FIRST_PRIVATE_TAG && place + values * width > size) return null;
    entries.set(tag, { count: values, width, at: place });
  }
  for (const { offsets, counts } of [STRIPS, TILES]) {
    const [from, lengths] = [entries.get(offsets), entries.get(counts)];
    if (from && lengths && !(await arePartsThere(read, { from, lengths, size, layout }))) return null;
  }
  const sub = entries.get(SUB_DIRECTORIES);
  const further = sub && sub.count <= MOST_DIRECTORIES ? await valuesOf(read, sub, { size, layout }) : [];
  return further && [...further, number(list, bytes, pointer)];
}

async function arePartsThere(
  read: ReadAt,
  { from, lengths, size, layout }: { from: Entry; lengths: Entry; size: number; layout: Layout },
): Promise<boolean> {
  if (from.count !== lengths.count) return true; // none of ours
  const places = await valuesOf(read, from, { size, layout });
  const bytes = await valuesOf(read, lengths, { size, layout });
  return places !== null && bytes !== null && places.every((place, at) => place + (bytes[at] ?? 0) <= size);
}

/** Returns the last values of an entry; null where they are not there. */
async function valuesOf(
  read: ReadAt,
  { count, width, at }: Entry,
  { size, layout }: { size: number; layout: Layout },
): Promise<number[] | null> {
  if (at + count * width > size) return null;
  const values = Math.min(count, MOST_VALUES);
  const bytes = await read(at + (count - values) * width, values * width);
  return Array.from({ length: values }, (_, each) => layout.number(bytes, each * width, width));
}
