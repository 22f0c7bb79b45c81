/** The size of a tag of ID3v2, by seven bits of each byte. */
const sevenBits = (bytes: Buffer, at: number) =>
  bytes.subarray(at, at + 4).reduce((sum, byte) => sum * 128 + (byte & 0x7f), 0);

const ID3_HEADER = 10;
const MOST_TAGS = 16;

/** Returns where the sound begins behind the tags (ID3v2) in front of it. */
export function startOfSound(head: Buffer): number {
  let at = 0;
  for (let tags = 0; tags < MOST_TAGS && head.toString('latin1', at, at + 3) === 'ID3'; tags += 1) {
    const hasFooter = ((head[at + 5] ?? 0) & 0x10) !== 0;
    at += ID3_HEADER + sevenBits(head, at + 6) + (hasFooter ? ID3_HEADER : 0);
  }
  return at;
}

/** The tags behind sound, by the mark that they end with: how many bytes they have. */
const bytesOfTag: readonly ((end: Buffer) => number)[] = [
  // ID3v1, and its extension in front of it
  (end) => (isAt(end, 128, 'TAG') ? 128 : 0),
  (end) => (isAt(end, 227, 'TAG+') ? 227 : 0),
  // APEv2: its footer says whether there is a header, which is not counted
  (end) => {
    if (!isAt(end, 32, 'APETAGEX')) return 0;
    const hasHeader = ((end[end.length - 9] ?? 0) & 0x80) !== 0;
    return end.readUInt32LE(end.length - 20) + (hasHeader ? 32 : 0);
  },
  (end) => (isAt(end, 9, 'LYRICS200') ? Number(end.toString('latin1', end.length - 15, end.length - 9)) + 15 || 0 : 0),
  (end) => (isAt(end, 9, 'LYRICSEND') ? (end.length - end.lastIndexOf('LYRICSBEGIN')) % (end.length + 1) : 0),
  // ID3v2.4 with a footer
  (end) => (isAt(end, ID3_HEADER, '3DI') ? sevenBits(end, end.length - 4) + 2 * ID3_HEADER : 0),
];

const isAt = (end: Buffer, fromEnd: number, mark: string) =>
  end.length >= fromEnd && end.toString('latin1', end.length - fromEnd, end.length - fromEnd + mark.length) === mark;

/** Returns the last bytes of sound, without the tags behind it (ID3v1, ID3v2.4, APEv2, Lyrics3); none when they fill all. */
export function withoutTags(tail: Buffer): Buffer {
  let end = tail;
  for (let tags = 0; tags < MOST_TAGS; tags += 1) {
    const bytes = bytesOfTag.reduce((found, bytesOf) => found || bytesOf(end), 0);
    if (bytes === 0) break;
    end = end.subarray(0, Math.max(0, end.length - bytes));
  }
  return end;
}
