import type { FileEnd } from './ending.ts';

const TAG_HEADER = 11;
const TAG_TYPES = [8, 9, 18];
const SIZE_BYTES = 4;

/**
 * Reads how an FLV file ends (Adobe Flash Video 10.1, E.3): behind each tag its size is written once more, so the last tag
 * that is whole can be found from behind.
 */
export function endOfFlv(tail: Buffer): FileEnd {
  if (isSizeAt(tail, tail.length - SIZE_BYTES)) return 'whole';
  for (let at = tail.length - SIZE_BYTES - 1; at >= TAG_HEADER; at -= 1) {
    if (!isSizeAt(tail, at)) continue;
    const next = at + SIZE_BYTES;
    const left = tail.length - next;
    if (left < TAG_HEADER) return TAG_TYPES.includes(tail[next] ?? 0) ? 'cut' : 'whole';
    if (!isTagAt(tail, next)) return 'whole'; // padding, or none of ours
    // Some programs leave out what would follow the last tag.
    return next + TAG_HEADER + tail.readUIntBE(next + 1, 3) === tail.length ? 'whole' : 'cut';
  }
  return 'whole';
}

/** A stream's number is always zero. */
const isTagAt = (tail: Buffer, at: number) => TAG_TYPES.includes(tail[at] ?? 0) && tail.readUIntBE(at + 8, 3) === 0;

/** Whether the size of a tag is written here, and that tag is in front of it. */
function isSizeAt(tail: Buffer, at: number): boolean {
  const bytes = at >= 0 ? tail.readUInt32BE(at) : 0;
  const tag = at - bytes;
  return bytes >= TAG_HEADER && tag >= 0 && isTagAt(tail, tag) && tail.readUIntBE(tag + 1, 3) + TAG_HEADER === bytes;
}
