import { PDFiumLibrary } from '@hyzyla/pdfium';
import jsqr from 'jsqr';

/** A CommonJS module: its types speak of a default within the default. */
const readCode = jsqr as unknown as typeof jsqr.default;

/** How finely a page is drawn: enough for a scanner to read a code of two centimetres. */
const SCALE = 3;

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

/** jsQR finds one code at a time: blank it and look again. */
function codesIn(pixels: Uint8ClampedArray, width: number, height: number): string[] {
  const codes: string[] = [];
  for (let found = readCode(pixels, width, height); found; found = readCode(pixels, width, height)) {
    codes.push(found.data);
    const corners = Object.entries(found.location).flatMap(([name, point]) =>
      name.endsWith('Corner') && point ? [point] : [],
    );
    const [left, right] = [Math.min(...corners.map(({ x }) => x)), Math.max(...corners.map(({ x }) => x))];
    const [top, bottom] = [Math.min(...corners.map(({ y }) => y)), Math.max(...corners.map(({ y }) => y))];
    for (let y = Math.floor(top); y <= bottom; y++) {
      pixels.fill(255, (y * width + Math.floor(left)) * 4, (y * width + Math.ceil(right)) * 4);
    }
  }
  return codes;
}
