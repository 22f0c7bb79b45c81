// Runs as a program of its own (run-program.ts): an untrusted file may crash a decoder, or keep it busy for ever.
// Arguments: what to draw, the file, the preview to write. Prints the size of the picture.
import { readFile, stat } from 'node:fs/promises';

import { PDFiumLibrary } from '@hyzyla/pdfium';
import sharp, { type Sharp } from 'sharp';

import { thumbnailInside } from './thumbnail-inside.ts';

const SIDE_PIXELS = 640;
const JPEG_QUALITY = 80;
/** A few kilobytes may decode to an image of billions of pixels. */
const PIXEL_LIMIT = 100e6;
const TIMEOUT_SECONDS = 15;
const PDF_LIMIT_BYTES = 200 * 2 ** 20;
/** The exit code for a file that can't be drawn; `previewer.ts` has the same. */
const CANNOT_DRAW = 3;

const draw: Record<string, (file: string, preview: string) => Promise<{ width: number; height: number }>> = {
  async image(file, preview) {
    const image = sharp(file, { limitInputPixels: PIXEL_LIMIT, pages: 1 });
    const { width, height, orientation = 1 } = await image.metadata();
    await shrunk(image.rotate()).toFile(preview);
    return orientation >= 5 ? { width: height, height: width } : { width, height };
  },
  async pdf(file, preview) {
    if ((await stat(file)).size > PDF_LIMIT_BYTES) throw new Error('the PDF is too big for a preview');
    const { width, height, data } = await firstPage(file);
    await shrunk(sharp(data, { raw: { width, height, channels: 4 } })).toFile(preview);
    return { width, height };
  },
  async slides(file, preview) {
    const picture = await thumbnailInside(file);
    if (!picture) throw new Error('the presentation contains no thumbnail');
    const { width, height } = await shrunk(sharp(picture, { limitInputPixels: PIXEL_LIMIT })).toFile(preview);
    return { width, height };
  },
};

const shrunk = (image: Sharp) =>
  image
    .timeout({ seconds: TIMEOUT_SECONDS })
    .resize({ width: SIDE_PIXELS, height: SIDE_PIXELS, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#fff' })
    .jpeg({ quality: JPEG_QUALITY });

async function firstPage(file: string) {
  const library = await PDFiumLibrary.init();
  const document = await library.loadDocument(await readFile(file));
  const page = document.getPage(0);
  const { originalWidth, originalHeight } = page.getOriginalSize();
  const scale = Math.min(SIDE_PIXELS / Math.max(originalWidth, originalHeight, 1), 8);
  return page.render({ scale, render: async (bitmap) => bitmap.data });
}

const [what = '', file = '', preview = ''] = process.argv.slice(2);
sharp.concurrency(1);
sharp.cache(false);
try {
  process.stdout.write(JSON.stringify(await draw[what]?.(file, preview)));
} catch (error) {
  process.stderr.write(error instanceof Error ? error.message : String(error));
  process.exitCode = CANNOT_DRAW;
}
