const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Text as a font can show it: a character that the font lacks becomes `?` instead of an empty
 * box, and what has no shape at all (controls, line breaks) a space.
 *
 * @param characters the code points that the font has
 */
export function legible(text: string, characters: ReadonlySet<number>): string {
  const shown = Array.from(graphemes.segment(text.normalize('NFC')), ({ segment }) => {
    if (/^\p{Cc}/u.test(segment)) return ' ';
    return Array.from(segment).every((character) => characters.has(character.codePointAt(0) ?? 0)) ? segment : '?';
  });
  return shown.join('').replaceAll(/ {2,}/g, ' ').trim();
}
