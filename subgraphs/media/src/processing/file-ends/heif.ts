import { boxesIn, findBox, type Box } from './boxes.ts';
import type { Ending, FileEnd, ReadAt } from './ending.ts';
import { endOfCodestream } from './pictures.ts';

const MOST_INDEX_BYTES = 2 ** 20;
const MOST_BOXES = 1_000;

/**
 * Reads how a picture of HEIF (HEIC, AVIF) ends, or another file of boxes, such as JPEG 2000 and JPEG XL: by the sizes of
 * its boxes, and where the parts of its items lie (`iloc`, ISO 14496-12, 8.11.3).
 */
export async function endOfBoxes({ read, size, tail }: Pick<Ending, 'read' | 'size' | 'tail'>): Promise<FileEnd> {
  let hasIndex = false;
  for await (const box of boxesIn(read, { from: 0, to: size }, MOST_BOXES)) {
    if (box.to > size) return 'cut';
    // The last box may be as long as the file.
    if (box.type === 'jp2c' && box.to === size) return endOfCodestream({ tail });
    if (box.type !== 'meta' || hasIndex) continue;
    hasIndex = true; // there is at most one (ISO 14496-12, 8.11.1); each box that is read may be a request to the store
    const places = await findBox(read, { from: box.from + 4, to: box.to }, ['iloc'], MOST_BOXES);
    if (places && (await endOfItems(read, places)) > size) return 'cut';
  }
  return 'whole';
}

/** Returns where the last part of an item ends. Items that lie in other files or in boxes are left out. */
async function endOfItems(read: ReadAt, { from, to }: Box): Promise<number> {
  const fields = new Fields(await read(from, Math.min(to - from, MOST_INDEX_BYTES)));
  const version = fields.next(4) >>> 24;
  const widths = fields.next(2);
  const [offset, length, base] = [widths >> 12, (widths >> 8) & 15, (widths >> 4) & 15];
  const index = version === 0 ? 0 : widths & 15;
  const items = fields.next(version < 2 ? 2 : 4);
  let end = 0;
  for (let item = 0; item < items && fields.left > 0; item += 1) {
    fields.next(version < 2 ? 2 : 4);
    const method = version === 0 ? 0 : fields.next(2) & 15;
    const source = fields.next(2);
    const itemFrom = fields.next(base);
    const [stated, partBytes] = [fields.next(2), index + offset + length];
    // A part without any field is all of the file.
    const parts = partBytes === 0 ? 0 : Math.min(stated, Math.floor(fields.left / partBytes));
    for (let part = 0; part < parts; part += 1) {
      fields.next(index);
      const partEnd = itemFrom + fields.next(offset) + fields.next(length);
      if (method === 0 && source === 0) end = Math.max(end, partEnd);
    }
  }
  return end;
}

/** Numbers one after another; zero behind the last one. */
class Fields {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  next(width: number): number {
    const field = this.#bytes.subarray(this.#at, this.#at + width);
    this.#at = Math.min(this.#at + width, this.#bytes.length);
    return field.length < width ? 0 : field.reduce((sum, byte) => sum * 256 + byte, 0);
  }
}
