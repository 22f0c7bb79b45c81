import { createRequire } from 'node:module';

import type { Font, Glyph } from 'fontkit';

import { outlineOf, type Outline } from './true-type.ts';

/** pdfkit requires this copy: what is registered in it holds for pdfkit. */
export const fontkit = createRequire(import.meta.url)('fontkit') as typeof import('fontkit') & {
  registerFormat(format: unknown): void;
};

/** A glyph in its place, in whole thousandths of the font size, and the characters that it stands for. */
export interface ShapedGlyph {
  codePoints: readonly number[];
  outline: Outline;
  /** The width that the font gives the glyph; kerning may leave another. */
  width: number;
  /** From here to the next glyph. */
  advance: number;
  /** How far the outline is moved. */
  x: number;
  y: number;
}

/** A font file in one weight. */
interface Weighted {
  font: Font;
  outlines: Map<number, Outline>;
}

/** A font file that has been read; what was once drawn of it is kept. */
export interface LoadedFont {
  has(codePoint: number): boolean;
  /** Shapes characters of one script in one direction. The glyphs come in visual order, from left to right. */
  shape(text: string, weight: number, direction: 'ltr' | 'rtl'): ShapedGlyph[];
}

/** @param file a variable font as TrueType */
export function loadFont(file: Uint8Array): LoadedFont {
  const base = fontkit.create(Buffer.from(file)) as Font;
  const scale = 1000 / base.unitsPerEm;
  const weights = new Map<number, Weighted>();

  function weighted(wght: number): Weighted {
    const known = weights.get(wght);
    if (known) return known;
    const fresh = { font: withOwnCharacters(base.getVariation({ wght })), outlines: new Map<number, Outline>() };
    weights.set(wght, fresh);
    return fresh;
  }

  return {
    has: (codePoint) => base.hasGlyphForCodePoint(codePoint),
    shape(text, weight, direction) {
      const { font, outlines } = weighted(weight);
      const { glyphs, positions } = font.layout(text, undefined, undefined, undefined, direction);
      return glyphs.map((glyph, index) => {
        let outline = outlines.get(glyph.id);
        if (!outline) outlines.set(glyph.id, (outline = outlineOf(glyph.path, scale)));
        const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[index] ?? {};
        return {
          codePoints: isHidden(glyph, xAdvance) ? [] : glyph.codePoints,
          outline,
          width: Math.round(glyph.advanceWidth * scale),
          advance: Math.round(xAdvance * scale),
          x: Math.round(xOffset * scale),
          y: Math.round(yOffset * scale),
        };
      });
    },
  };
}

/**
 * fontkit keeps one object for each glyph, with the characters that it stood for first. Here each has those that it stands
 * for in its text.
 */
function withOwnCharacters(font: Font): Font {
  const shared = font.getGlyph.bind(font);
  font.getGlyph = (id: number, codePoints: number[] = []): Glyph =>
    Object.create(shared(id, codePoints), { codePoints: { value: codePoints } }) as Glyph;
  return font;
}

/** fontkit draws joiners and variation selectors as a space without width. */
const isHidden = ({ codePoints }: Glyph, advance: number) => codePoints[0] === 0x20 && advance === 0;
