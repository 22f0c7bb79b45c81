import bidiFactory from 'bidi-js';
import { LRUCache } from 'lru-cache';

import { hanOf } from './font-files.ts';
import type { FontStore } from './font-store.ts';
import type { LoadedFont, ShapedGlyph } from './loaded-font.ts';
import { withCopyableText } from './copyable-text.ts';

// Its types name a default export, but Node imports the function itself.
const bidi = (bidiFactory as unknown as typeof bidiFactory.default)();
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Text with no other than left-to-right characters of one simple font. */
const PLAIN = /^[\u0020-\u007e]*$/;

/** Characters that no font can show are written in these, as `[U+13000]`. */
const REPLACEMENT = (text: string) =>
  `[${Array.from(text, (character) => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`).join(' ')}]`;

/** A part of a text in one font and one direction. `text` is what it stands for, `shown` what is drawn. */
interface Run {
  font: LoadedFont | null;
  level: number;
  text: string;
  shown: string;
  /** A character that no font has, which is shown by its number. */
  isReplaced?: true;
}

/** Whether some of a text runs from right to left. */
export const isRightToLeft = (text: string): boolean =>
  !PLAIN.test(text) && bidi.getEmbeddingLevels(text, 'auto').levels.some((level) => level > 0);

/** Shapes one line of text in any scripts and directions; the glyphs come from left to right, as they are drawn. */
export function shapeText(store: FontStore, text: string, weight: number): ShapedGlyph[] {
  const runs = PLAIN.test(text) ? [plainRun(store, text)] : inVisualOrder(runsOf(store, text));
  return runs.flatMap(({ font, level, text: meant, shown, isReplaced }) => {
    if (!font) return [];
    if (isReplaced) return replacementOf(font, meant, weight);
    const direction = level % 2 === 1 ? 'rtl' : 'ltr';
    return withCopyableText(font.shape(shown, weight, direction), meant, direction);
  });
}

/**
 * The glyph of a character that no font has, drawn once: breaking a long text into lines shapes all its beginnings, and each
 * such glyph is as large as the ten that it is made of.
 */
const replacements = new LRUCache<string, { font: LoadedFont; glyphs: ShapedGlyph[] }>({ max: 500 });

function replacementOf(font: LoadedFont, character: string, weight: number): ShapedGlyph[] {
  const key = `${weight} ${character}`;
  const known = replacements.get(key);
  if (known?.font === font) return known.glyphs;
  const glyphs = withCopyableText(font.shape(REPLACEMENT(character), weight, 'ltr'), character, 'ltr');
  replacements.set(key, { font, glyphs });
  return glyphs;
}

const latin = (store: FontStore) => store.fontFor([0x41], 'simplified');

const plainRun = (store: FontStore, text: string): Run => ({ font: latin(store), level: 0, text, shown: text });

/** Cuts a text wherever the font or the direction changes. */
function runsOf(store: FontStore, text: string): Run[] {
  const han = hanOf(text);
  const { levels } = bidi.getEmbeddingLevels(text, 'auto');
  const mirrored = bidi.getMirroredCharactersMap(text, levels);
  const runs: Run[] = [];
  for (const { segment, index } of graphemes.segment(text)) {
    const level = levels[index] ?? 0;
    // What is copied is what is seen: readers of PDFs mirror brackets themselves.
    const shown = mirrored.get(index) ?? segment;
    const codePoints = Array.from(shown, (character) => character.codePointAt(0) ?? 0);
    const font = store.fontFor(codePoints, han);
    const last = runs.at(-1);
    if (!font) runs.push(...withoutFont(store, segment, level));
    else if (last && !last.isReplaced && last.font === font && last.level === level) {
      last.text += shown;
      last.shown += shown;
    } else runs.push({ font, level, text: shown, shown });
  }
  return runs;
}

/** Shows a cluster whose characters are in no font together one by one, and one that is in none by its number. */
function withoutFont(store: FontStore, text: string, level: number): Run[] {
  return Array.from(text, (character): Run => {
    const font = store.fontFor([character.codePointAt(0) ?? 0], 'simplified');
    if (font) return { font, level, text: character, shown: character };
    return {
      font: latin(store),
      level: level + (level % 2),
      text: character,
      shown: REPLACEMENT(character),
      isReplaced: true,
    };
  });
}

/** Rule L2 of the Unicode bidirectional algorithm: from the highest level down, reverses what has it. */
function inVisualOrder(runs: readonly Run[]): Run[] {
  const ordered = [...runs];
  for (let level = Math.max(0, ...runs.map((run) => run.level)); level > 0; level -= 1) {
    for (let start = 0; start < ordered.length; start += 1) {
      let end = start;
      while ((ordered[end]?.level ?? -1) >= level) end += 1;
      if (end > start + 1) ordered.splice(start, end - start, ...ordered.slice(start, end).toReversed());
      start = Math.max(start, end);
    }
  }
  return ordered;
}
