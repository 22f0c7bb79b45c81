import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import sharp from 'sharp';
import { describe, expect, it } from 'vitest';

import { aPresentation } from '../../testing/zip.ts';
import { isDocumentWhole } from './document-end.ts';

const [width, height] = [64, 48];
/** Hardly compressible, and the same each time. */
const pixels = Buffer.from(Array.from({ length: 3 * width * height }, (_, at) => ((at * 7919) % 1009) % 256));
const picture = sharp(pixels, { raw: { width, height, channels: 3 } });
/** With a preview in its headers, as cameras write them: that has an end of its own. */
async function photograph(): Promise<Buffer> {
  const plain = await picture.clone().jpeg({ progressive: true }).toBuffer();
  const preview = Buffer.concat([Buffer.from('Exif\0\0'), plain]);
  const header = Buffer.from([0xff, 0xe1, (preview.length + 2) >> 8, (preview.length + 2) & 255]);
  return Buffer.concat([plain.subarray(0, 2), header, preview, plain.subarray(2)]);
}

const kinds: [string, () => Promise<Buffer> | Buffer][] = [
  ['JPEG', photograph],
  ['PNG', () => picture.clone().png().toBuffer()],
  ['GIF', () => picture.clone().gif().toBuffer()],
  ['WebP', () => picture.clone().webp().toBuffer()],
  ['PDF', () => Buffer.from(`%PDF-1.7\n${'0 '.repeat(4000)}\nstartxref\n0\n%%EOF\n`)],
  ['a presentation', () => Buffer.from(aPresentation())],
];

/** As they are read of a large file: only its ends. */
const endsOf = (bytes: Buffer, most = bytes.length) => ({
  head: bytes.subarray(0, most),
  tail: bytes.subarray(Math.max(0, bytes.length - most)),
  size: bytes.length,
});

describe('the end of', () => {
  it.each(kinds)('%s is missed wherever the file breaks off', async (_, make) => {
    const whole = await make();
    expect(isDocumentWhole(endsOf(whole))).toBe(true);
    for (const share of [0.2, 0.4, 0.6, 0.8, 0.97])
      expect(isDocumentWhole(endsOf(whole.subarray(0, whole.length * share))), `at ${share}`).toBe(false);
  });

  it('a picture to which a camera has appended a video is found', async () => {
    const photo = await photograph();
    const video = Buffer.alloc(photo.length * 4, 'ftyp \xff\xd8 moov', 'latin1');
    const whole = Buffer.concat([photo, video]);
    expect(isDocumentWhole(endsOf(whole))).toBe(true);
    expect(isDocumentWhole(endsOf(whole, Math.floor(photo.length * 0.8)))).toBe(true); // which does not show it
  });

  it('other files is not looked for', () => {
    for (const bytes of [Buffer.alloc(0), Buffer.from('text'), readFileSync(join(import.meta.dirname, 'streams.ts'))])
      expect(isDocumentWhole(endsOf(bytes))).toBe(true);
  });
});
