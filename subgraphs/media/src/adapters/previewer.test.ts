import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { CannotPreview } from '../ports/previewer.ts';
import { aPresentation, zipOf } from '../testing/zip.ts';
import { previewer } from './previewer.ts';
import { findTools } from './tools.ts';

const { soffice } = await findTools();
const why = soffice ? '' : ' (skipped: no LibreOffice on this machine)';
const skipped = !soffice && !process.env['CI'];

let folder: string;
const signal = new AbortController().signal;
const without = previewer({ soffice: false });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-previews-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function slides(content: Uint8Array, drawer = without) {
  const work = await mkdtemp(join(folder, 'work-'));
  const [file, preview] = [join(work, 'slides.odp'), join(work, 'preview.jpg')];
  await writeFile(file, content);
  await drawer.ofSlides(file, preview, { folder: work, signal });
  const { format, width, height } = await sharp(preview).metadata();
  return { format, width, height };
}

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#c33' } })
    .png()
    .toBuffer();

describe('the preview of slides', () => {
  it.skipIf(skipped)(`is the first one, drawn by LibreOffice${why}`, { timeout: 60_000 }, async () => {
    expect(await slides(aPresentation(), previewer({ soffice: true }))).toMatchObject({ format: 'jpeg' });
  });

  it.skipIf(skipped)(`is drawn for two presentations at once${why}`, { timeout: 60_000 }, async () => {
    const drawer = previewer({ soffice: true });
    expect(await Promise.all([slides(aPresentation(), drawer), slides(aPresentation(), drawer)])).toHaveLength(2);
  });

  it.each(['Thumbnails/thumbnail.png', 'docProps/thumbnail.jpeg'])(
    'is the picture inside where there is no LibreOffice: %s',
    async (place) => {
      expect(await slides(zipOf({ mimetype: 'x', [place]: await picture(800, 400) }))).toEqual({
        format: 'jpeg',
        width: 640,
        height: 320,
      });
    },
  );

  it.each<[string, () => Uint8Array]>([
    ['has no picture inside', () => zipOf({ mimetype: 'x' })],
    ['is no zip file', () => Buffer.from('PK nothing')],
    ['has something else where the picture should be', () => zipOf({ 'Thumbnails/thumbnail.png': 'no picture' })],
    ['unpacks to more than 20 MB', () => zipOf({ 'Thumbnails/thumbnail.png': Buffer.alloc(21 * 2 ** 20) })],
    ['unpacks to more than it says', () => zipOf({ 'Thumbnails/thumbnail.png': Buffer.alloc(2 ** 20) }, { claim: 9 })],
    [
      'has very many entries',
      () => zipOf(Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [`${at}`, '']))),
    ],
  ])('can not be drawn of a file that %s', async (_what, content) => {
    await expect(slides(content())).rejects.toBeInstanceOf(CannotPreview);
  });
});

describe('the preview of a PDF', () => {
  it('can not be drawn of one that is none', async () => {
    const file = join(folder, 'junk.pdf');
    await writeFile(file, '%PDF-1.7 junk');
    await expect(without.ofPdf(file, join(folder, 'junk.jpg'), signal)).rejects.toBeInstanceOf(CannotPreview);
  });
});
