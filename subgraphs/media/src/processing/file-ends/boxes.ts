import type { ReadAt } from './ending.ts';

/** A box of the ISO base media file format (ISO 14496-12, 4.2), by its place in the file. */
export interface Box {
  type: string;
  at: number;
  /** Where its content begins. */
  from: number;
  /** Where it ends, as it states; that may be behind the end of the file. */
  to: number;
}

const MOST_BOXES = 200_000;

/** Walks the boxes one after another; ends at what is none, such as padding, and behind one that is not whole. */
export async function* boxesIn(
  read: ReadAt,
  within: { from: number; to: number },
  most = MOST_BOXES,
): AsyncGenerator<Box> {
  for (let at = within.from, boxes = 0; at + 8 <= within.to && boxes < most; boxes += 1) {
    const box = await boxAt(read, at, within.to);
    if (!box) return;
    yield box;
    at = box.to;
  }
}

async function boxAt(read: ReadAt, at: number, end: number): Promise<Box | null> {
  const header = await read(at, 16);
  if (header.length < 8) return null;
  const [short, type] = [header.readUInt32BE(0), header.toString('latin1', 4, 8)];
  const isLong = short === 1;
  if (isLong && header.length < 16) return null;
  const size = isLong ? Number(header.readBigUInt64BE(8)) : short || end - at;
  const from = at + (isLong ? 16 : 8);
  return /^[\w ]{4}$/.test(type) && at + size >= from ? { type, at, from, to: at + size } : null;
}

/** Returns the first box of that path, such as moov, mvex, mehd. @param most how many boxes are looked at beside one another */
export async function findBox(
  read: ReadAt,
  within: { from: number; to: number },
  [type, ...path]: readonly string[],
  most = MOST_BOXES,
): Promise<Box | null> {
  for await (const box of boxesIn(read, within, most))
    if (box.type === type) return path.length > 0 ? findBox(read, box, path, most) : box;
  return null;
}
