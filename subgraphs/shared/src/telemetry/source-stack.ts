import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { fileURLToPath } from 'node:url';

const maps = new Map<string, SourceMap | undefined>();

/** The positions in a stack that are in a bundle of tools/bundle.ts. */
const places = /(file:\/\/[^\s()]+\/foyer-bundle\/[^\s()]+\.mjs):(\d+):(\d+)/g;

/**
 * Replaces the positions in a stack that are in the bundle by those in our sources. Node's own `--enable-source-maps` would
 * read all maps at the start, which costs half a second of CPU; this reads a map when it is first needed.
 */
export const sourceStack = (stack: string): string =>
  stack.replaceAll(places, (place, file: string, line: string, column: string) => {
    const origin = mapOf(file)?.findOrigin(Number(line), Number(column));
    return origin && 'fileName' in origin
      ? `${new URL(origin.fileName, file).href}:${origin.lineNumber}:${origin.columnNumber}`
      : place;
  });

function mapOf(file: string): SourceMap | undefined {
  if (!maps.has(file)) maps.set(file, readMap(`${file}.map`));
  return maps.get(file);
}

function readMap(url: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(fileURLToPath(url), 'utf8')) as SourceMapPayload);
  } catch {
    return undefined; // the stack must be reported without a map, too
  }
}
