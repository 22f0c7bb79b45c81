import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { CannotPreview } from '../../ports/previewer.ts';
import { aPresentation, zipOf } from '../../testing/zip.ts';
import { previewer } from './previewer.ts';
import { findTools } from '../tools.ts';

const tools = await findTools();
const { soffice } = tools;
const why = soffice ? '' : ' (skipped: no LibreOffice on this machine)';
const skipped = !soffice && !process.env['CI'];

let folder: string;
const signal = new AbortController().signal;
const without = previewer(async () => ({ ...tools, soffice: null }));

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
  it.skipIf(skipped)(`is the first one, drawn by LibreOffice${why}`, async () => {
    expect(
      await slides(
        aPresentation(),
        previewer(async () => tools),
      ),
    ).toMatchObject({ format: 'jpeg' });
  });

  it.skipIf(skipped)(`is drawn for two presentations at once${why}`, async () => {
    const drawer = previewer(async () => tools);
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

async function drawn(what: 'ofImage' | 'ofPdf', content: string | Uint8Array): Promise<unknown> {
  const work = await mkdtemp(join(folder, 'work-'));
  const [file, preview] = [join(work, 'source'), join(work, 'preview.jpg')];
  await writeFile(file, content);
  return without[what](file, preview, signal);
}

const aPdf = (box: string, first = '3 0 R') => `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[${first}]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[${box}]>>endobj
trailer<</Root 1 0 R>>`;

const aSvg = (inside: string, size = 100) =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${size}" height="${size}">${inside}</svg>`;

/** Each level shows the one below ten times: a thousand million circles. */
const nested = (levels: number): string =>
  `<defs><circle id="l0" r="1"/>${Array.from({ length: levels }, (_level, at) => `<g id="l${at + 1}">${`<use xlink:href="#l${at}"/>`.repeat(10)}</g>`).join('')}</defs><use xlink:href="#l${levels}"/>`;

describe('the preview of a PDF', () => {
  it('is its first page', async () => {
    await expect(drawn('ofPdf', aPdf('0 0 200 300'))).resolves.toBeUndefined();
  });

  it.each([
    ['is none', '%PDF-1.7 junk'],
    ['has no page', aPdf('0 0 200 300', '')],
    ['has a page as thin as a hair', aPdf('0 0 0.0001 14400')],
    ['says that its page is itself', aPdf('0 0 9 9', '2 0 R')],
  ])('fails at the first attempt for one that %s', async (_what, content) => {
    await expect(drawn('ofPdf', content)).rejects.toBeInstanceOf(CannotPreview);
  });
});

describe('the preview of an image', () => {
  it('has the size of the image', async () => {
    expect(await drawn('ofImage', aSvg('<rect width="9" height="9"/>'))).toEqual({ width: 100, height: 100 });
  });

  it.each([
    ['a thousand million circles', aSvg(nested(9))],
    ['a picture of billions of points', aSvg('<rect width="9" height="9"/>', 60_000)],
    ['no picture', 'nothing'],
  ])('can not be drawn of %s', async (_what, content) => {
    await expect(drawn('ofImage', content)).rejects.toBeInstanceOf(CannotPreview);
  });

  it('is drawn in another process and does not block this one', async () => {
    const noise = '<filter id="n"><feTurbulence baseFrequency="0.01" numOctaves="9"/></filter>';
    const slow = aSvg(`${noise}<rect width="4000" height="4000" filter="url(#n)"/>`, 4000);
    const ended = { count: 0 };
    const drawing = Array.from({ length: 5 }, () => drawn('ofImage', slow).finally(() => (ended.count += 1)));
    await vi.waitFor(() => expect(process.getActiveResourcesInfo()).toContain('ProcessWrap'));
    let turns = 0;
    for (; ended.count === 0; turns++) await setImmediate();

    expect(turns).toBeGreaterThan(20);
    await Promise.all(drawing);
  }, 120_000);
});
