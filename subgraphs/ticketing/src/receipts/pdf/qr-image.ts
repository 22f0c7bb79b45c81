import { crc32, deflateSync } from 'node:zlib';

import { encode } from 'uqr';

/** Pixels of a module: some viewers blur small images when they enlarge them. */
const PIXELS = 8;

/** PNG's filter of differences to the row above; the differences are zero. */
const SAME_AS_ABOVE = 2;

/**
 * Readers accept every mask. Looking for the one that has the fewest large areas takes ten times as long as the rest, and
 * gains nothing with ticket codes, which look random.
 */
const MASK = 0;

/**
 * Draws a QR code as a PNG in a data URL: one bit a pixel, which a PDF takes over as it is. As the thousand rectangles of
 * pdfmake's own QR codes it would take most of the time of a receipt.
 *
 * @param colors red, green and blue of paper and ink
 */
export function qrImage(text: string, colors: readonly [paper: readonly number[], ink: readonly number[]]): string {
  const { data, size } = encode(text, { ecc: 'M', border: 0, maskPattern: MASK });
  const side = size * PIXELS;
  const rows = Buffer.alloc((1 + size) * side); // for each row of pixels a filter, then one byte a module
  data.forEach((modules, index) => {
    const at = index * PIXELS * (1 + size);
    modules.forEach((dark, module) => dark && (rows[at + 1 + module] = 0xff));
    for (let copy = 1; copy < PIXELS; copy += 1) rows[at + copy * (1 + size)] = SAME_AS_ABOVE;
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([1, 3], 8); // one bit, with a palette
  const png = Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(colors.flat())),
    chunk('IDAT', deflateSync(rows, { level: 3 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
  return `data:image/png;base64,${png.toString('base64')}`;
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), content]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
