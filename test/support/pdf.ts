import { PDFiumLibrary } from '@hyzyla/pdfium';
import jsqr from 'jsqr';

/** A CommonJS module, whose types have a default within the default. */
const readCode = jsqr as unknown as typeof jsqr.default;

/** The resolution of a page, and the height of the strips that are scanned: one code fits, two do not. */
const SCALE = 2;
const STRIP = 300;
const STEP = 40;

/** Every QR code on the pages of a PDF, as a scanner reads them. */
export async function qrCodesIn(pdf: Uint8Array): Promise<string[]> {
  const library = await PDFiumLibrary.init();
  const document = await library.loadDocument(pdf);
  const codes: string[] = [];
  for (const page of document.pages()) {
    const { data, width, height } = await page.render({ scale: SCALE, render: 'bitmap' });
    codes.push(...codesIn(new Uint8ClampedArray(data), width, height));
  }
  document.destroy();
  library.destroy();
  return codes;
}

/** The text of a PDF, page after page. */
export async function textIn(pdf: Uint8Array): Promise<string> {
  const library = await PDFiumLibrary.init();
  const document = await library.loadDocument(pdf);
  const text = [...document.pages()].map((page) => page.getText()).join('\n');
  document.destroy();
  library.destroy();
  return text;
}

/** jsQR finds at most one code, and fails on several. */
function codesIn(pixels: Uint8ClampedArray, width: number, height: number): string[] {
  const codes = new Set<string>();
  for (let top = 0; top + STRIP <= height; top += STEP) {
    const strip = pixels.slice(top * width * 4, (top + STRIP) * width * 4);
    const found = readCode(strip, width, STRIP, { inversionAttempts: 'dontInvert' })?.data;
    if (found) codes.add(found);
  }
  return [...codes];
}
