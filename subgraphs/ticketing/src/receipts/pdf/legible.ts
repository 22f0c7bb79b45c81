const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Replaces what a font can't show: a character that it lacks becomes `?` instead of an empty box, and a control character
 * or line break a space.
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
