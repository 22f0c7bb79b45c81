import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';

import sharp, { type Sharp } from 'sharp';

import { CannotPreview, type Previewer } from '#ports/previewer.ts';

import { slidesToPdf } from './slides-to-pdf.ts';
import { thumbnailInside } from './thumbnail-inside.ts';
import type { Tools } from './tools.ts';

const SIDE_PIXELS = 640;
const JPEG_QUALITY = 80;
/** A bomb of a few kilobytes may claim to be an image of billions of pixels. */
const MOST_PIXELS = 100e6;
const TIMEOUT_SECONDS = 15;
const MOST_PDF_BYTES = 200 * 2 ** 20;
const PDF_HEAP_MIB = 512;

/** Previews by sharp and PDFium; those of slides by LibreOffice, where it is. */
export function previewer({ soffice }: Pick<Tools, 'soffice'>): Previewer {
  sharp.concurrency(1);
  sharp.cache(false);
  const self: Previewer = {
    async ofImage(file, preview) {
      try {
        const image = sharp(file, { limitInputPixels: MOST_PIXELS, pages: 1 });
        const { width, height, orientation = 1 } = await image.metadata();
        await shrunk(image.rotate()).toFile(preview);
        return orientation >= 5 ? { width: height, height: width } : { width, height };
      } catch (error) {
        throw new CannotPreview('the image can not be read', { cause: error });
      }
    },
    async ofPdf(file, preview, signal) {
      if ((await stat(file)).size > MOST_PDF_BYTES) throw new CannotPreview('the PDF is too big for a preview');
      const { width, height, data } = await firstPage(file, signal);
      await shrunk(sharp(data, { raw: { width, height, channels: 4 } })).toFile(preview);
    },
    async ofSlides(file, preview, { folder, signal }) {
      const pdf = soffice ? await slidesToPdf(file, { folder, signal }) : null;
      if (pdf) return self.ofPdf(pdf, preview, signal);
      const picture = await thumbnailInside(file);
      if (!picture) throw new CannotPreview('nothing here can draw these slides, and they bring no picture along');
      try {
        await shrunk(sharp(picture, { limitInputPixels: MOST_PIXELS })).toFile(preview);
      } catch (error) {
        throw new CannotPreview('the picture inside can not be read', { cause: error });
      }
    },
  };
  return self;
}

const shrunk = (image: Sharp) =>
  image
    .timeout({ seconds: TIMEOUT_SECONDS })
    .resize({ width: SIDE_PIXELS, height: SIDE_PIXELS, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#fff' })
    .jpeg({ quality: JPEG_QUALITY });

interface Page {
  width: number;
  height: number;
  data: Uint8Array;
}

async function firstPage(file: string, signal: AbortSignal): Promise<Page> {
  const worker = new Worker(new URL('./pdf-page.ts', import.meta.url), {
    workerData: { file, mostPixels: SIDE_PIXELS },
    resourceLimits: { maxOldGenerationSizeMb: PDF_HEAP_MIB },
  });
  const enough = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_SECONDS * 1000)]);
  try {
    const exited = once(worker, 'exit', { signal: enough }).then(() => {
      throw new Error('the worker ended without a page');
    });
    const [page] = (await Promise.race([once(worker, 'message', { signal: enough }), exited])) as [Page];
    return page;
  } catch (error) {
    signal.throwIfAborted();
    throw new CannotPreview('the PDF can not be read', { cause: error });
  } finally {
    await worker.terminate();
  }
}
