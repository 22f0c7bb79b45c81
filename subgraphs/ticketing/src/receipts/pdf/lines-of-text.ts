import type { ContentStack, ContentText } from 'pdfmake/interfaces.js';

import { isRightToLeft } from './fonts/shape-text.ts';

/** How a text is set, and the width that it has, in points. */
export interface Setting {
  width: number;
  fontSize: number;
  bold?: boolean;
}

/** Measures a line of text, in points. */
export type Measure = (text: string, setting: Setting) => number;

/**
 * Sets a text for pdfmake. A text that fits its line stays whole, which spares pdfmake the search for breaks. pdfmake puts
 * words from left to right: text with right-to-left words is broken into lines here, and the font orders each line.
 */
export function linesOfText(text: string, measure: Measure, setting: Setting): ContentText | ContentStack {
  const whole = { noWrap: true, fontFeatures: [] };
  if (measure(text, setting) <= setting.width) return { text, ...whole };
  if (!isRightToLeft(text)) return { text };
  return { stack: brokenAtSpaces(text, measure, setting).map((line) => ({ text: line, ...whole })) };
}

function brokenAtSpaces(text: string, measure: Measure, setting: Setting): string[] {
  const fits = (line: string) => measure(line, setting) <= setting.width;
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').flatMap((long) => (fits(long) ? [long] : brokenAnywhere(long, fits)))) {
    if (line && !fits(`${line} ${word}`)) {
      lines.push(line);
      line = word;
    } else line = line ? `${line} ${word}` : word;
  }
  return [...lines, line];
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

function brokenAnywhere(word: string, fits: (part: string) => boolean): string[] {
  const parts: string[] = [];
  let part = '';
  for (const { segment } of graphemes.segment(word)) {
    if (part && !fits(part + segment)) {
      parts.push(part);
      part = '';
    }
    part += segment;
  }
  return [...parts, part];
}
