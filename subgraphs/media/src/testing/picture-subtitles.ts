// For tests: subtitles that are pictures, as discs have them, which ffmpeg can copy but not write.

/** A segment of a PGS file: a header of 13 bytes, then its data. */
function segment(seconds: number, type: number, data: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.write('PG');
  header.writeUInt32BE(seconds * 90_000, 2);
  header.writeUInt8(type, 10);
  header.writeUInt16BE(data.length, 11);
  return Buffer.concat([header, data]);
}

const COMPOSITION = 0x16;
const END = 0x80;

/** Says that nothing is shown on a picture of 160 by 90. */
const nothing = Buffer.from([0, 160, 0, 90, 0x10, 0, 0, 0x80, 0, 0, 0]);

/** A PGS file (`.sup`) with two empty pictures. */
export const picturesAsSubtitles = Buffer.concat(
  [0.5, 1].flatMap((seconds) => [segment(seconds, COMPOSITION, nothing), segment(seconds, END, Buffer.alloc(0))]),
);
