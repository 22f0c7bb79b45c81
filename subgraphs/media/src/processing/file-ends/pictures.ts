import type { Ending, FileEnd } from './ending.ts';

const END_OF_PNG = Buffer.from('IEND');
const CRC_BYTES = 4;

/** Reads how a PNG ends (PNG, 11.2.5): with an empty chunk and its checksum. */
export function endOfPng({ tail }: Ending): FileEnd {
  const at = tail.lastIndexOf(END_OF_PNG);
  return at >= 0 && at + END_OF_PNG.length + CRC_BYTES <= tail.length ? 'whole' : 'cut';
}

/** Reads how a GIF ends (GIF89a, 27): the end of the last block, and that of the file; some programs fill up what follows. */
export function endOfGif({ tail }: Ending): FileEnd {
  const last = tail.findLastIndex((byte) => byte !== 0);
  return tail[last] === 0x3b && tail[last - 1] === 0 ? 'whole' : 'cut';
}

/** Reads how a WebP ends (RFC 9649, 2.4): its header states its size. */
export const endOfWebp = ({ head, size }: Ending): FileEnd =>
  head.length < 12 || head.readUInt32LE(4) + 8 > size ? 'cut' : 'whole';

const [START_OF_SCAN, END_OF_IMAGE] = [0xda, Buffer.from([0xff, 0xd9])];

/** Reads how a JPEG ends (ITU T.81, B.1). A preview within the headers has an end of its own, and cameras append videos. */
export function endOfJpeg({ head, tail, size }: Ending): FileEnd {
  let at = 2;
  while (at + 4 <= head.length && head[at] === 0xff && head[at + 1] !== START_OF_SCAN)
    at += head[at + 1] === 0xff ? 1 : 2 + head.readUInt16BE(at + 2); // markers may be filled up
  if (at + 4 > head.length) return size > head.length ? 'whole' : 'cut';
  if (head[at] !== 0xff || head.indexOf(END_OF_IMAGE, at) >= 0) return 'whole';
  const tailAt = Math.max(0, at - (size - tail.length));
  if (tail.indexOf(END_OF_IMAGE, tailAt) >= 0) return 'whole';
  // What lies between them was not read.
  return size > head.length + tail.length && !isScan(tail) ? 'whole' : 'cut';
}

/** In the pixels of a JPEG, 0xff is always followed by zero or the number of a restart. */
function isScan(bytes: Buffer): boolean {
  for (let at = bytes.indexOf(0xff); at >= 0 && at + 1 < bytes.length; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && (next < 0xd0 || next > 0xd7)) return false;
  }
  return true;
}

/** Reads how a codestream of JPEG 2000 ends (ITU T.800, A.4.4): with the same mark as a JPEG. */
export const endOfCodestream = ({ tail }: Pick<Ending, 'tail'>): FileEnd =>
  tail.includes(END_OF_IMAGE) ? 'whole' : 'cut';

/** Of pixels that are not compressed, or only given other places. */
const PLAIN = [0, 3];
const BMP_HEADERS = 54;

/** Reads how a bitmap of Windows ends (BITMAPINFOHEADER): its rows must be there. Sizes of files in it are often wrong. */
export function endOfBmp({ head, size }: Ending): FileEnd {
  if (head.length < BMP_HEADERS) return 'cut';
  if (head.readUInt32LE(14) < 40 || !PLAIN.includes(head.readUInt32LE(30))) return 'whole';
  const [width, height] = [head.readInt32LE(18), Math.abs(head.readInt32LE(22))];
  const rowBytes = 4 * Math.ceil((width * head.readUInt16LE(28)) / 32);
  return head.readUInt32LE(10) + rowBytes * height > size ? 'cut' : 'whole';
}

const ICON_ENTRY = 16;

/** Reads how an icon ends (ICONDIR): its list says where each picture lies. */
export function endOfIcon({ head, size }: Ending): FileEnd {
  const count = head.length < 6 ? 0 : head.readUInt16LE(4);
  const entries = Array.from({ length: count }, (_, each) => 6 + each * ICON_ENTRY);
  if (6 + count * ICON_ENTRY > head.length) return 'cut';
  return entries.some((at) => head.readUInt32LE(at + 8) + head.readUInt32LE(at + 12) > size) ? 'cut' : 'whole';
}
