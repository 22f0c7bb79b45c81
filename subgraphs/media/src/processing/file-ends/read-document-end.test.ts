import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import sharp from 'sharp';
import { describe, expect, it } from 'vitest';

import { boxOf, compoundFile, endingOf, noise, tiffOf } from '../../testing/endings.ts';
import { aPresentation, zipOf } from '../../testing/zip.ts';
import { openEnding } from './ending.ts';
import { readDocumentEnd } from './read-document-end.ts';

const [width, height] = [64, 48];
const picture = sharp(noise(3 * width * height), { raw: { width, height, channels: 3 } });
/** With a preview in its headers, as cameras write them: that has an end of its own. */
async function photograph(): Promise<Buffer> {
  const plain = await picture.clone().jpeg({ progressive: true }).toBuffer();
  const preview = Buffer.concat([Buffer.from('Exif\0\0'), plain]);
  const header = Buffer.from([0xff, 0xe1, (preview.length + 2) >> 8, (preview.length + 2) & 255]);
  return Buffer.concat([plain.subarray(0, 2), header, preview, plain.subarray(2)]);
}

/** A bitmap of Windows, and an icon that has it. */
function bitmap(): Buffer {
  const header = Buffer.alloc(54);
  header.write('BM');
  [54, 40, width, height].forEach((value, at) => header.writeUInt32LE(value, 10 + 4 * at));
  header.writeUInt16LE(24, 28);
  return Buffer.concat([header, noise(3 * width * height)]);
}
function icon(): Buffer {
  const header = Buffer.alloc(22);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(1, 4);
  header.writeUInt32LE(2_000, 14);
  header.writeUInt32LE(22, 18);
  return Buffer.concat([header, noise(2_000)]);
}

/** The first revision, and one that was appended: each has a mark for its end. */
const pdf = `%PDF-1.7\n${'1 0 obj 2 endobj\n'.repeat(100)}startxref\n0\n%%EOF\n${'2 0 obj 3 endobj\n'.repeat(300)}startxref\n9\n%%EOF`;
const forTheWeb = `%PDF-1.7\n1 0 obj <</Linearized 1/L 5042>> endobj\n`.padEnd(600, ' ') + '%%EOF\n';
const circles = '<g><svg><circle r="1"/></svg></g>'.repeat(200);

const kinds: [string, () => Promise<Buffer> | Buffer][] = [
  ['JPEG', photograph],
  ['PNG', () => picture.clone().png().toBuffer()],
  ['GIF', () => picture.clone().gif().toBuffer()],
  ['WebP', () => picture.clone().webp().toBuffer()],
  ['AVIF', () => picture.clone().avif().toBuffer()],
  ['TIFF', () => picture.clone().tiff({ compression: 'none' }).toBuffer()],
  ['TIFF of tiles', () => picture.clone().tiff({ tile: true, tileWidth: 16, tileHeight: 16 }).toBuffer()],
  ['TIFF, the low byte first', () => tiffOf({ isBig: false, isLittle: true })],
  ['TIFF, the high byte first', () => tiffOf({ isBig: false, isLittle: false })],
  ['BigTIFF', () => tiffOf({ isBig: true, isLittle: true })],
  ['BigTIFF, the high byte first', () => tiffOf({ isBig: true, isLittle: false })],
  ['BMP', bitmap],
  ['an icon', icon],
  ['JPEG 2000', () => Buffer.concat([Buffer.from([0xff, 0x4f, 0xff, 0x51]), noise(900), Buffer.from([0xff, 0xd9])])],
  ['SVG', () => Buffer.from(`<?xml version="1.0"?><!-- <g> --><svg a="x>y">${circles}<text>end</text></svg>`)],
  ['SVG in UTF-16', () => Buffer.from(`\ufeff<?xml version="1.0"?><svg>${circles}<text>end</text></svg>`, 'utf16le')],
  ['PDF', () => Buffer.from(pdf)],
  ['PDF for the web', () => Buffer.from(forTheWeb.padEnd(5_036, 'x') + '\n%%EOF')],
  ['a presentation', () => Buffer.from(aPresentation())],
  ['an archive with an archive', () => zipOf({ first: aPresentation(), second: noise(3_000) })],
  ['a document of before 2007', () => compoundFile()],
  ['RTF', () => Buffer.from(`{\\rtf1 ${'{\\b \\{bold\\}}'.repeat(300)}}`)],
];

const endOf = async (bytes: Buffer, most?: number) => readDocumentEnd(await endingOf(bytes, most));

describe('the end of', () => {
  it.each(kinds)('%s is missed wherever the file breaks off', async (_, make) => {
    const whole = await make();
    expect(await endOf(whole)).toBe('whole');
    for (const share of [0.2, 0.4, 0.6, 0.8, 0.97])
      expect(await endOf(whole.subarray(0, whole.length * share)), `at ${share}`).toBe('cut');
  });

  it.each(kinds.filter(([name]) => !/before 2007|UTF-16/.test(name)))(
    '%s is missed when one byte is',
    async (_, make) => {
      const whole = await make();
      expect(await endOf(whole.subarray(0, -1))).toBe('cut');
    },
  );

  it.each(kinds)('%s is found in a large file, of which little is read', async (_, make) => {
    expect(await endOf(await make(), 600)).toBe('whole');
  });

  it('a picture to which a camera has appended a video is found', async () => {
    const photo = await photograph();
    const video = Buffer.alloc(photo.length * 4, 'ftyp \xff\xd8 moov', 'latin1');
    const whole = Buffer.concat([photo, video]);
    expect(await endOf(whole)).toBe('whole');
    expect(await endOf(whole, Math.floor(photo.length * 0.8))).toBe('whole'); // which does not show it
  });

  it('a document is found behind which there is a line break or a remark', async () => {
    for (const text of [`${pdf}\r\n`, '<svg>\n</svg>\n<!-- </svg> -->\n', '<svg a="b"/>\n', '{\\rtf1 a}\r\n\0'])
      expect(await endOf(Buffer.from(text))).toBe('whole');
  });

  it('a document of before 2007 is found where its last sector is not filled', async () => {
    expect(await endOf(compoundFile().subarray(0, -200))).toBe('whole');
  });

  it('other files is not looked for', async () => {
    for (const bytes of [Buffer.alloc(0), Buffer.from('text'), readFileSync(join(import.meta.dirname, 'ending.ts'))])
      expect(await endOf(bytes)).toBe('whole');
  });
});

describe('a file that was made to keep a reader busy', () => {
  const hostile: [string, Buffer][] = [
    ['remarks that do not end', Buffer.from(`<svg>${'<!--'.repeat(300_000)}`)],
    [
      'directories that name themselves',
      Buffer.concat([Buffer.from('II*\0\x08\0\0\0', 'latin1'), Buffer.alloc(6), Buffer.from([8, 0, 0, 0])]),
    ],
    ['ends of archives', Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(2 ** 20, 'PK\x05\x06')])],
    [
      'a chain of lists that is a circle',
      (() => {
        const bytes = compoundFile();
        bytes.writeUInt32LE(1, 68);
        bytes.fill(0, 1_024, 1_536);
        bytes.writeUInt32LE(1, 1_532);
        return bytes;
      })(),
    ],
    [
      'boxes without content',
      Buffer.concat([
        Buffer.from('\0\0\0\x10ftypheic\0\0\0\0'),
        ...Array.from({ length: 50_000 }, () => Buffer.from('\0\0\0\x08free')),
      ]),
    ],
    [
      'values of a type that there is not',
      (() => {
        const bytes = tiffOf({ isBig: false, isLittle: true });
        bytes.writeUInt16LE(99, 12);
        return bytes;
      })(),
    ],
    [
      'items with more parts than there are bytes',
      Buffer.concat([
        boxOf('ftyp', Buffer.from('avif\0\0\0\0')),
        boxOf('meta', 0, boxOf('iloc', Buffer.from([0, 0, 0, 0, 0, 0, 0xff, 0xff]), Buffer.alloc(900_000, 0xff))),
      ]),
    ],
  ];
  it.each(hostile)('is given up: %s', async (_, bytes) => {
    expect(await endOf(bytes, 2 ** 17)).toBeOneOf(['whole', 'cut']);
  });

  it('is read at few places, though its index has countless boxes', async () => {
    const index = boxOf('meta', 0, Buffer.alloc(80_000, '\0\0\0\x08free', 'latin1'));
    const bytes = Buffer.concat([boxOf('ftyp', Buffer.from('heic\0\0\0\0')), index, index, index]);
    let reads = 0;
    const read = async (at: number, count: number) => {
      reads += 1;
      return bytes.subarray(at, at + count);
    };
    const ending = await openEnding(read, bytes.length, { headBytes: 600, tailBytes: 600 });
    expect(await readDocumentEnd(ending)).toBe('whole');
    expect(reads).toBeLessThan(2_000);
  });
});
