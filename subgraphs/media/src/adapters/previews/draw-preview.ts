// Runs as a program of its own (run-program.ts): an untrusted file may crash a decoder, or keep it busy for ever.
// Arguments: what to draw, the file, the preview to write. Prints the size of the picture.
import { readFile, stat, writeFile } from 'node:fs/promises';

import { PDFiumLibrary } from '@hyzyla/pdfium';
import sharp, { type Sharp } from 'sharp';

import { shrink, SIDE_PIXELS } from './shrink.ts';
import { thumbnailInside } from './thumbnail-inside.ts';

/** A few kilobytes may decode to an image of billions of pixels. */
const PIXEL_LIMIT = 100e6;
const PDF_LIMIT_BYTES = 200 * 2 ** 20;
/** The exit code for a file that can't be drawn; `previewer.ts` has the same. */
const CANNOT_DRAW = 3;
/** The exit code when the disk refuses the preview; `previewer.ts` has the same. */
const CANNOT_WRITE = 4;

const draw: Record<string, (file: string, preview: string) => Promise<{ width: number; height: number }>> = {
  async image(file, preview) {
    const image = sharp(file, { limitInputPixels: PIXEL_LIMIT, pages: 1 });
    const { width, height, orientation = 1 } = await image.metadata();
    await write(preview, shrink(image.rotate()));
    return orientation >= 5 ? { width: height, height: width } : { width, height };
  },
  async pdf(file, preview) {
    if ((await stat(file)).size > PDF_LIMIT_BYTES) throw new Error('the PDF is too big for a preview');
    const { width, height, data } = await firstPage(file);
    await write(preview, shrink(sharp(data, { raw: { width, height, channels: 4 } })));
    return { width, height };
  },
  async slides(file, preview) {
    const picture = await thumbnailInside(file);
    if (!picture) throw new Error('the presentation contains no thumbnail');
    return write(preview, shrink(sharp(picture, { limitInputPixels: PIXEL_LIMIT })));
  },
};

/** The disk refused the preview. */
class CannotWrite extends Error {}

/** Draws first and writes then, so that a disk that refuses is told from a file that can't be drawn. */
async function write(preview: string, image: Sharp): Promise<{ width: number; height: number }> {
  const { data, info } = await image.toBuffer({ resolveWithObject: true });
  await writeFile(preview, data).catch((error: NodeJS.ErrnoException) => {
    throw new CannotWrite(error.code ?? error.message);
  });
  return { width: info.width, height: info.height };
}

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
  process.exitCode = error instanceof CannotWrite ? CANNOT_WRITE : CANNOT_DRAW;
}
