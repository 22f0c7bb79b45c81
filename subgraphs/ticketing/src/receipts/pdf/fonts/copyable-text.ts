import type { ShapedGlyph } from './loaded-font.ts';
import { joined } from './true-type.ts';

/**
 * Makes one glyph of all that stand for the same characters, so that the copied text is the written one: shaping reorders
 * vowels, draws dots on their own and joins several characters into one glyph.
 *
 * @param glyphs in visual order
 * @param text in logical order
 */
export function withCopyableText(
  glyphs: readonly ShapedGlyph[],
  text: string,
  direction: 'ltr' | 'rtl',
): ShapedGlyph[] {
  const logical = direction === 'rtl' ? glyphs.toReversed() : [...glyphs];
  const characters = Array.from(text);
  const result: ShapedGlyph[] = [];
  let [glyph, character] = [0, 0];
  while (glyph < logical.length) {
    const size = clusterAt(logical, glyph, characters, character);
    const cluster = logical.slice(glyph, glyph + size.glyphs);
    const meant = characters.slice(character, character + size.characters);
    result.push(asOne(direction === 'rtl' ? cluster.toReversed() : cluster, meant));
    glyph += size.glyphs;
    character += size.characters;
  }
  return direction === 'rtl' ? result.toReversed() : result;
}

/** The fewest glyphs and characters from here on that stand for each other; all that is left when none do. */
function clusterAt(glyphs: readonly ShapedGlyph[], glyph: number, characters: readonly string[], character: number) {
  const [shown, written]: [number[], number[]] = [[], []];
  let [glyphCount, characterCount] = [0, 0];
  for (;;) {
    const takesGlyph = glyphCount === 0 || (shown.length <= written.length && characterCount > 0);
    if (takesGlyph) {
      const next = glyphs[glyph + glyphCount];
      if (!next) break;
      shown.push(...decomposed(String.fromCodePoint(...next.codePoints)));
      glyphCount += 1;
    }
    if (characterCount === 0 || written.length < shown.length) {
      const next = characters[character + characterCount];
      if (next === undefined) break;
      written.push(...decomposed(next));
      characterCount += 1;
    }
    if (!isSame(shown, written)) continue;
    // What was split off, such as the dots of a letter, stands for nothing by itself.
    while (glyphs[glyph + glyphCount]?.codePoints.length === 0) glyphCount += 1;
    return { glyphs: glyphCount, characters: characterCount };
  }
  return { glyphs: glyphs.length - glyph, characters: characters.length - character };
}

/** Shaping takes some vowels apart, and hides joiners and variation selectors. */
const decomposed = (text: string): number[] =>
  codePointsOf(text.normalize('NFD').replaceAll(/\u200c|\u200d|[\ufe00-\ufe0f]/g, ''));

const ascending = (one: number, other: number) => one - other;

function isSame(one: readonly number[], other: readonly number[]): boolean {
  if (one.length !== other.length) return false;
  const [first, second] = [one.toSorted(ascending), other.toSorted(ascending)];
  return first.every((codePoint, index) => codePoint === second[index]);
}

const codePointsOf = (text: string) => Array.from(text, (character) => character.codePointAt(0) ?? 0);

function asOne(glyphs: readonly ShapedGlyph[], characters: readonly string[]): ShapedGlyph {
  const codePoints = codePointsOf(characters.join(''));
  const [only] = glyphs;
  if (only && glyphs.length === 1 && only.x === 0 && only.y === 0) return { ...only, codePoints };
  let pen = 0;
  const parts = glyphs.map(({ outline, advance, x, y }) => {
    const part = { outline, x: pen + x, y };
    pen += advance;
    return part;
  });
  return { codePoints, outline: joined(parts), width: pen, advance: pen, x: 0, y: 0 };
}
