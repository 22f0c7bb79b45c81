// Runs as a worker thread: PDFium is synchronous, and a hostile file may take it down.
import { readFile } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';

import { PDFiumLibrary } from '@hyzyla/pdfium';

const { file, mostPixels } = workerData as { file: string; mostPixels: number };

const library = await PDFiumLibrary.init();
const document = await library.loadDocument(await readFile(file));
const page = document.getPage(0);
const { originalWidth, originalHeight } = page.getOriginalSize();
const scale = Math.min(mostPixels / Math.max(originalWidth, originalHeight, 1), 8);
const { width, height, data } = await page.render({ scale, render: async (bitmap) => bitmap.data });
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.postMessage({ width, height, data });
document.destroy();
library.destroy();
