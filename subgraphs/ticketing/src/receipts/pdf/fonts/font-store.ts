import { readFile } from 'node:fs/promises';

import { LRUCache } from 'lru-cache';
import { decompress } from 'wawoff2';

import { filesFor, type FontFile } from './font-files.ts';
import { loadFont, type LoadedFont } from './loaded-font.ts';

/** Some 100 to 400 KB each, with what was drawn of it. */
const KEPT_FILES = 48;

/** The font files that have been read. Reading is asynchronous, but drawing is not: what is missing is read in between. */
export interface FontStore {
  /** The font that shows all of these characters; null when none does. Remembers files that must be read first. */
  fontFor(codePoints: readonly number[], han: 'simplified' | 'traditional'): LoadedFont | null;
  /** Whether a file was missing since the last `readMissing`: then the last answers were wrong. */
  lacks(): boolean;
  readMissing(): Promise<void>;
}

export function openFontStore(): FontStore {
  const loaded = new LRUCache<string, LoadedFont>({ max: KEPT_FILES });
  const missing = new Set<string>();

  function available({ path }: FontFile): LoadedFont | undefined {
    const font = loaded.get(path);
    if (!font) missing.add(path);
    return font;
  }

  return {
    fontFor(codePoints, han) {
      for (const file of filesFor(codePoints[0] ?? 0, han)) {
        const font = available(file);
        if (!font) return null;
        if (codePoints.every((codePoint) => isInvisible(codePoint) || font.has(codePoint))) return font;
      }
      return null;
    },
    lacks: () => missing.size > 0,
    async readMissing() {
      for (const path of missing) loaded.set(path, loadFont(await decompress(await readFile(path))));
      missing.clear();
    },
  };
}

/** Joiners and variation selectors, which change how others look. */
const isInvisible = (codePoint: number) =>
  codePoint === 0x200c || codePoint === 0x200d || (codePoint >= 0xfe00 && codePoint <= 0xfe0f);
