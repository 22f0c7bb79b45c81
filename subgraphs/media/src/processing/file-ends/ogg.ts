import type { FileEnd } from './ending.ts';

const OGG_HEADER_BYTES = 27;
const OGG_LAST_PAGE = 4;

/** Reads how an Ogg file ends (RFC 3533): the last page of each stream says that it is the last. */
export function endOfOgg(tail: Buffer): FileEnd {
  const ended = new Map<number, boolean>();
  let wholeUntil = 0;
  for (let at = tail.indexOf('OggS'); at >= 0; at = tail.indexOf('OggS', Math.max(at + 4, wholeUntil))) {
    if (at + OGG_HEADER_BYTES > tail.length) return 'cut';
    const segments = tail.subarray(at + OGG_HEADER_BYTES, at + OGG_HEADER_BYTES + (tail[at + 26] ?? 0));
    wholeUntil = at + OGG_HEADER_BYTES + (tail[at + 26] ?? 0) + segments.reduce((sum, bytes) => sum + bytes, 0);
    ended.set(tail.readUInt32LE(at + 14), ((tail[at + 5] ?? 0) & OGG_LAST_PAGE) !== 0);
  }
  const isWhole = wholeUntil <= tail.length && [...ended.values()].every(Boolean);
  return isWhole ? 'whole' : 'cut';
}
