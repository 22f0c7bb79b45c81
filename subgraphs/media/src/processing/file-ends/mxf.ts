import type { Ending, FileEnd, ReadAt } from './ending.ts';

/** The begin of the keys of its partitions, and which of them are the last parts of a file (SMPTE ST 377-1). */
const MXF_PARTITION = Buffer.from('060e2b34020501010d01020101', 'hex');
const MXF_LAST = [0x04, 0x11]; // the footer, and the index of all partitions behind it
const KEY_BYTES = 16;
const MOST_PARTS = 10_000;

/** Reads how an MXF file ends: its header says where the footer is, or else the last parts are looked for. */
export async function endOfMxf({ read, head, tail, size }: Ending): Promise<FileEnd> {
  const key = head.indexOf(MXF_PARTITION);
  const value = key < 0 ? null : valueAt(head.subarray(key), key);
  const footerAt = value && value.from + 32 <= head.length ? Number(head.readBigUInt64BE(value.from + 24)) : 0;
  if (footerAt > 0) return endOfParts(read, footerAt, size);
  for (let at = tail.indexOf(MXF_PARTITION); at >= 0; at = tail.indexOf(MXF_PARTITION, at + 1))
    if (MXF_LAST.includes(tail[at + MXF_PARTITION.length] ?? 0)) return 'whole';
  return 'cut';
}

/** Each part is a key, its length and a value (SMPTE ST 336). */
async function endOfParts(read: ReadAt, from: number, size: number): Promise<FileEnd> {
  if (from >= size) return 'cut';
  for (let at = from, parts = 0; at < size && parts < MOST_PARTS; parts += 1) {
    const header = await read(at, KEY_BYTES + 9);
    if (header[0] !== MXF_PARTITION[0] || header[1] !== MXF_PARTITION[1]) return 'whole'; // padding, or none of ours
    const value = valueAt(header, at);
    if (!value || value.to > size) return 'cut';
    at = value.to;
  }
  return 'whole';
}

/** Returns where the value of a part lies in the file; null where even its length is not there. */
function valueAt(part: Buffer, at: number): { from: number; to: number } | null {
  const first = part[KEY_BYTES];
  if (first === undefined) return null;
  const more = first & 0x80 ? first & 0x7f : 0;
  if (more > 8 || KEY_BYTES + 1 + more > part.length) return null;
  const length = part.subarray(KEY_BYTES + 1, KEY_BYTES + 1 + more).reduce((sum, byte) => sum * 256 + byte, 0);
  const from = at + KEY_BYTES + 1 + more;
  return { from, to: from + (more > 0 ? length : first) };
}
