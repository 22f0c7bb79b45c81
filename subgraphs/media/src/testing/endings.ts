// For tests: small files whose format states where they end, made byte by byte.
import { openEnding, type Ending } from '../processing/file-ends/ending.ts';

/** The ends of a file as they are read of a large one. @param most how many bytes of each */
export const endingOf = (bytes: Buffer, most = bytes.length): Promise<Ending> =>
  openEnding(async (at, count) => bytes.subarray(at, at + count), bytes.length, { headBytes: most, tailBytes: most });

/** Hardly compressible, and the same each time. */
export const noise = (count: number): Buffer =>
  Buffer.from(Array.from({ length: count }, (_, at) => ((at * 7919) % 1009) % 255));

const number = (value: number, width: number, isLittle = false): Buffer => {
  const bytes = Buffer.alloc(width);
  if (isLittle) bytes.writeUIntLE(value, 0, Math.min(width, 6));
  else bytes.writeUIntBE(value, Math.max(0, width - 6), Math.min(width, 6));
  return bytes;
};

/** A box of ISO 14496-12. */
export const boxOf = (type: string, ...content: readonly (Buffer | number)[]): Buffer => {
  const body = Buffer.concat(content.map((part) => (typeof part === 'number' ? number(part, 4) : part)));
  return Buffer.concat([number(body.length + 8, 4), Buffer.from(type, 'latin1'), body]);
};

/** A TIFF of two pages, each with two strips behind its directory. */
export function tiffOf({ isBig, isLittle }: { isBig: boolean; isLittle: boolean }): Buffer {
  const pointer = isBig ? 8 : 4;
  const n = (value: number, width: number) => number(value, width, isLittle);
  const start = Buffer.from(isLittle ? 'II' : 'MM');
  const header = isBig
    ? Buffer.concat([start, n(43, 2), n(8, 2), n(0, 2), n(16, 8)])
    : Buffer.concat([start, n(42, 2), n(8, 4)]);
  const stripBytes = 300;
  const directoryBytes = (isBig ? 8 : 2) + 2 * (isBig ? 20 : 12) + pointer;
  const pageBytes = directoryBytes + 4 * pointer + 2 * stripBytes;
  const page = (at: number, next: number) => {
    const lists = at + directoryBytes;
    const strips = lists + 4 * pointer;
    const entry = (tag: number, place: number) =>
      Buffer.concat([n(tag, 2), n(isBig ? 16 : 4, 2), n(2, pointer), n(place, pointer)]);
    return Buffer.concat([
      n(2, isBig ? 8 : 2),
      entry(273, lists),
      entry(279, lists + 2 * pointer),
      n(next, pointer),
      ...[strips, strips + stripBytes, stripBytes, stripBytes].map((value) => n(value, pointer)),
      noise(2 * stripBytes),
    ]);
  };
  return Buffer.concat([header, page(header.length, header.length + pageBytes), page(header.length + pageBytes, 0)]);
}

const FREE = 0xffff_ffff;

/** A compound file (MS-CFB) with a document of some sectors, whose table lies in front of them. */
export function compoundFile(sectors = 40): Buffer {
  const header = Buffer.alloc(512, 0xff);
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(header);
  header.writeUInt16LE(9, 30);
  header.writeUInt32LE(1, 44);
  header.writeUInt32LE(0xffff_fffe, 68); // no further lists
  header.writeUInt32LE(0, 76); // the table is the first sector
  const table = Buffer.alloc(512, 0xff);
  for (let sector = 0; sector <= sectors; sector += 1)
    table.writeUInt32LE(sector === 0 ? FREE - 2 : sector, 4 * sector);
  return Buffer.concat([header, table, noise(512 * sectors)]);
}

/** Frames of AAC in ADTS. */
export const adtsOf = (frames: number): Buffer =>
  Buffer.concat(
    Array.from({ length: frames }, (_, at) => {
      const length = 90 + (at % 7);
      const header = Buffer.from([0xff, 0xf1, 0x4c, 0x80, length >> 3, ((length & 7) << 5) | 0x1f, 0xfc]);
      return Buffer.concat([header, noise(length - header.length)]);
    }),
  );

/** Frames of MP3: 64 kbit/s, 48 kHz, so of 192 bytes. */
export const mp3Of = (frames: number): Buffer =>
  Buffer.concat(Array.from({ length: frames }, () => Buffer.concat([Buffer.from('fffb5400', 'hex'), noise(188)])));

/** A live recording in WebM: neither its segment nor its clusters say how long they are. */
export function liveWebm(blocks: number): Buffer {
  const open = Buffer.from('01ffffffffffffff', 'hex');
  const block = Buffer.concat([Buffer.from('a3414081000080', 'hex'), noise(0x140 - 4)]);
  return Buffer.concat([
    Buffer.from('1a45dfa388428284', 'hex'),
    Buffer.from('webm\0'),
    Buffer.from('18538067', 'hex'),
    open,
    Buffer.from('1f43b675', 'hex'),
    open,
    Buffer.from('e78100', 'hex'),
    ...Array.from({ length: blocks }, () => block),
  ]);
}

/** An FLV of some tags of sound. */
export const flvOf = (tags: number): Buffer =>
  Buffer.concat([
    Buffer.from('FLV\x01\x04\0\0\0\x09\0\0\0\0', 'latin1'),
    ...Array.from({ length: tags }, () =>
      Buffer.concat([Buffer.from([8, 0, 0, 200, 0, 0, 0, 0, 0, 0, 0]), noise(200), number(211, 4)]),
    ),
  ]);
