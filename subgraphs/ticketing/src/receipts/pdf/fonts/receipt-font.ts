import { LRUCache } from 'lru-cache';

import type { FontStore } from './font-store.ts';
import { fontkit, type ShapedGlyph } from './loaded-font.ts';
import { shapeText } from './shape-text.ts';
import { outlineOf, trueTypeFont, type Glyph, type Outline } from './true-type.ts';

/** Of Noto Sans, in thousandths of the font size. */
const METRICS = { ascent: 1_069, descent: -293, capHeight: 714, xHeight: 536, advance: 600 };

/**
 * The layouts of so many glyphs are kept: of the texts that every receipt has, and of the last some. Breaking one long text
 * into lines makes layouts of all its beginnings, and the thread has little memory.
 */
const KEPT_GLYPHS = 10_000;

const MARK = 'foyer-font-';

/** The layout of a text, as pdfkit takes it from fontkit. */
interface Layout {
  glyphs: PrintedGlyph[];
  positions: { xAdvance: number; yAdvance: number; xOffset: number; yOffset: number }[];
  advanceWidth: number;
}

/** A glyph as pdfkit takes it; it gives `id` back to the subset. */
interface PrintedGlyph {
  id: ShapedGlyph;
  codePoints: readonly number[];
  advanceWidth: number;
}

/**
 * Gives pdfmake fonts that consist of many font files, each read when a text needs it, and shared by all documents. A
 * document contains one font for each weight, with the glyphs that it shows.
 *
 * `files` are the names of the fonts; a file with such a name contains the name.
 */
export function openReceiptFonts(store: FontStore, weights: { normal: number; bold: number }) {
  const fonts = new Map<string, ReturnType<typeof receiptFont>>();
  const source = (style: string, weight: number) => {
    fonts.set(`${MARK}${style}`, receiptFont(store, `Noto-${style}`, weight));
    return `${MARK}${style}`;
  };
  // pdfkit opens a font with `fontkit.create`, which asks each registered format.
  fontkit.registerFormat(
    class {
      static probe = (file: Uint8Array) => fonts.has(Buffer.from(file).toString('latin1'));
      constructor({ buffer }: { buffer: Uint8Array }) {
        return fonts.get(Buffer.from(buffer).toString('latin1')) ?? this;
      }
    },
  );
  return {
    files: { normal: source('Regular', weights.normal), bold: source('Bold', weights.bold) },
    /** The width of a line of text, in thousandths of its font size. */
    widthOf: (text: string, style: 'Regular' | 'Bold'): number =>
      fonts.get(`${MARK}${style}`)?.layout(text).advanceWidth ?? 0,
  };
}

/** Everything that pdfkit asks of a font. */
function receiptFont(store: FontStore, postscriptName: string, weight: number) {
  const layouts = new LRUCache<string, Layout>({
    maxSize: KEPT_GLYPHS,
    sizeCalculation: ({ glyphs }) => glyphs.length + 1,
  });
  return {
    postscriptName,
    unitsPerEm: 1000,
    ascent: METRICS.ascent,
    descent: METRICS.descent,
    capHeight: METRICS.capHeight,
    xHeight: METRICS.xHeight,
    lineGap: 0,
    italicAngle: 0,
    bbox: { minX: 0, minY: METRICS.descent, maxX: 1000, maxY: METRICS.ascent },
    post: { isFixedPitch: false },
    head: { macStyle: { italic: false } },
    getGlyph: () => ({ advanceWidth: METRICS.advance }),
    layout(text: string): Layout {
      const known = layouts.get(text);
      if (known) return known;
      const layout = layoutOf(shapeText(store, text, weight));
      if (!store.lacks()) layouts.set(text, layout);
      return layout;
    },
    createSubset: () => openSubset(),
  };
}

const layoutOf = (glyphs: readonly ShapedGlyph[]): Layout => ({
  glyphs: glyphs.map((id) => ({ id, codePoints: id.codePoints, advanceWidth: id.width })),
  positions: glyphs.map(({ advance }) => ({ xAdvance: advance, yAdvance: 0, xOffset: 0, yOffset: 0 })),
  advanceWidth: glyphs.reduce((sum, { advance }) => sum + advance, 0),
});

/** The glyphs that one document shows. An outline that stands for different characters is there once for each. */
function openSubset() {
  const empty = { outline: outlineOf({ commands: [] }, 1), advance: METRICS.advance };
  const glyphs: Glyph[] = [empty];
  const places = new Map<Outline, Map<string, number>>();
  return {
    includeGlyph({ outline, width, codePoints }: ShapedGlyph): number {
      let byText = places.get(outline);
      if (!byText) places.set(outline, (byText = new Map()));
      const text = String.fromCodePoint(...codePoints);
      let place = byText.get(text);
      if (place === undefined) byText.set(text, (place = glyphs.push({ outline, advance: width }) - 1));
      return place;
    },
    encode: () => trueTypeFont(glyphs, METRICS),
  };
}
