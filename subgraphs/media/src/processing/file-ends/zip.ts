import type { Ending, FileEnd } from './ending.ts';

const END = Buffer.from('PK\x05\x06', 'latin1');
const ENTRY = Buffer.from('PK\x01\x02', 'latin1');
const END_BYTES = 22;
/** In archives with 64 bits, numbers that do not fit are written elsewhere. */
const ELSEWHERE = 0xffff_ffff;
const MOST_TRIES = 16;

/**
 * Reads how an archive ends (APPNOTE 4.3.16), as documents of offices are: with a record that says where its list of
 * entries lies. That of an archive within the archive says another place.
 */
export async function endOfZip({ tail, size, read }: Ending): Promise<FileEnd> {
  let at = tail.length;
  for (let tries = 0; tries < MOST_TRIES && at > 0; tries += 1) {
    at = tail.lastIndexOf(END, at - 1);
    if (at < 0) return 'cut';
    if (at + END_BYTES > tail.length || at + END_BYTES + tail.readUInt16LE(at + 20) > tail.length) continue;
    const [bytes, from] = [tail.readUInt32LE(at + 12), tail.readUInt32LE(at + 16)];
    if (bytes === ELSEWHERE || from === ELSEWHERE || size > ELSEWHERE || bytes === 0) return 'whole';
    const isOwn = from + bytes <= size - tail.length + at && (await read(from, ENTRY.length)).equals(ENTRY);
    if (isOwn) return 'whole';
  }
  return 'cut';
}
