/** The font files from npm: each family is cut into files that hold some of its characters, for all weights. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { LRUCache } from 'lru-cache';

/** One file of a family. */
export interface FontFile {
  path: string;
}

interface Range {
  from: number;
  to: number;
  file: FontFile;
}

const require = createRequire(import.meta.url);

/** In this order: the first that has a character shows it. */
const EVERYDAY = ['noto-sans', 'noto-naskh-arabic', 'noto-sans-tamil', 'noto-sans-thai', 'noto-emoji'] as const;
/** All of them. */
export const FAMILIES = [...EVERYDAY, 'noto-sans-sc', 'noto-sans-tc'] as const;
/** Chinese as it is written in mainland China, Malaysia and Singapore. */
const SIMPLIFIED = FAMILIES;
/** Chinese as it is written in Taiwan and Hong Kong, and in many names. */
const TRADITIONAL = [...EVERYDAY, 'noto-sans-tc', 'noto-sans-sc'] as const;

const families = new Map<string, readonly Range[]>();

/** The files that may show a character, the best one first. A file may lack a character all the same. */
export function* filesFor(codePoint: number, han: 'simplified' | 'traditional'): Generator<FontFile> {
  for (const family of han === 'simplified' ? SIMPLIFIED : TRADITIONAL) {
    yield* filesIn(family, codePoint);
  }
}

/** By family and character: a long text asks for each of its characters hundreds of times, and a family has thousands of ranges. */
const found = new LRUCache<string, readonly FontFile[]>({ max: 20_000 });

function filesIn(family: string, codePoint: number): readonly FontFile[] {
  const key = `${family} ${codePoint}`;
  const known = found.get(key);
  if (known) return known;
  const files = rangesOf(family).flatMap(({ from, to, file }) => (from <= codePoint && codePoint <= to ? file : []));
  found.set(key, files);
  return files;
}

/** Reads which file of a family has which characters, once. */
function rangesOf(family: string): readonly Range[] {
  const known = families.get(family);
  if (known) return known;
  const name = `@fontsource-variable/${family}`;
  const listed = JSON.parse(readFileSync(require.resolve(`${name}/unicode.json`), 'utf8')) as Record<string, string>;
  const ranges = Object.entries(listed).flatMap(([part, characters]) => {
    const file = {
      path: require.resolve(`${name}/files/${family}-${part.replaceAll(/[[\]]/g, '')}-wght-normal.woff2`),
    };
    return characters.split(',').map((range) => {
      const [from = 0, to = from] = range
        .replace('U+', '')
        .split('-')
        .map((hex) => Number.parseInt(hex, 16));
      return { from, to, file };
    });
  });
  families.set(family, ranges);
  return ranges;
}

/** The 6,763 characters of GB 2312: simplified Chinese as everybody writes it. */
const simplified = new Set(
  (() => {
    const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
    const pairs = range(0xb0, 0xf7).flatMap((row) => range(0xa1, 0xfe).flatMap((cell) => [row, cell]));
    return new TextDecoder('gbk').decode(Uint8Array.from(pairs));
  })(),
);

/** How the Chinese of a text is written: traditional as soon as one character is not simplified. */
export const hanOf = (text: string): 'simplified' | 'traditional' =>
  (text.match(/\p{Script=Han}/gu) ?? []).every((character) => simplified.has(character)) ? 'simplified' : 'traditional';
