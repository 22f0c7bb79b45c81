// For tests: changes to the bytes of a file that ffmpeg itself does not make.

/** Cuts a file off. @param share what remains of it, from 0 to 1 */
export const cutAt = (share: number) => (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.length * share));

/** Cuts a fragmented MP4 off in front of the fragment in the middle. */
export function cutBetweenFragments(bytes: Buffer): Buffer {
  const starts: number[] = [];
  for (let at = 0; at + 8 <= bytes.length; at += bytes.readUInt32BE(at))
    if (bytes.toString('latin1', at + 4, at + 8) === 'moof') starts.push(at);
  return bytes.subarray(0, starts[starts.length >> 1]);
}

/** Appends bytes that mean nothing. */
export const zerosAfter = (count: number) => (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(count)]);

/** Overwrites a part of the middle with the same nonsense each time. */
export const nonsenseInTheMiddle =
  (count: number) =>
  (bytes: Buffer): Buffer => {
    const damaged = Buffer.from(bytes);
    const from = Math.floor((bytes.length - count) / 2);
    for (let at = 0; at < count; at += 1) damaged[from + at] = (at * 167 + 89) % 256;
    return damaged;
  };

/** Sets the matrix of the picture in the header of its track (ISO 14496-12, 8.3.2), which turns or mirrors it. */
const displayedBy =
  (a: number, b: number, c: number, d: number) =>
  (bytes: Buffer): Buffer => {
    const turned = Buffer.from(bytes);
    const header = turned.indexOf('tkhd'); // of the first track, which is the picture
    const matrix = header + 4 + (turned[header + 4] === 1 ? 52 : 40);
    [a, b, 0, c, d, 0].forEach((value, at) => turned.writeInt32BE(value * 0x1_0000, matrix + 4 * at));
    return turned;
  };

export const turnedBy90 = displayedBy(0, 1, -1, 0);
export const turnedBy270 = displayedBy(0, -1, 1, 0);
export const mirrored = displayedBy(-1, 0, 0, 1);
