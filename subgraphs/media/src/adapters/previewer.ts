import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';

import sharp, { type Sharp } from 'sharp';

import { CannotPreview, type Previewer } from '#ports/previewer.ts';

const SIDE_PIXELS = 640;
const JPEG_QUALITY = 80;
/** A bomb of a few kilobytes may claim to be an image of billions of pixels. */
const MOST_PIXELS = 100e6;
const TIMEOUT_SECONDS = 15;
const MOST_PDF_BYTES = 200 * 2 ** 20;
const PDF_HEAP_MIB = 512;

/** Previews by sharp and PDFium: no program is needed on the machine. */
export function previewer(): Previewer {
  sharp.concurrency(1);
  sharp.cache(false);
  return {
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
  };
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
