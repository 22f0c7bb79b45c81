import type { GraphQLError } from 'graphql';

import { protocolError } from './refusals.ts';

const NAMES = ['query', 'documentId', 'operationName', 'variables', 'extensions'];
/** Texts, and the signs that say where they stand. */
const PIECES = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:]/g;

/**
 * What is wrong with a body that names something twice: JSON.parse takes the last one, and whoever looked at the
 * request on its way may have looked at the first.
 *
 * @param body known to be JSON: in anything else, looking for the ends of texts could take for ever
 */
export function repeatedIn(body: string): GraphQLError | undefined {
  if (!mayRepeat(body)) return undefined;
  const seen = new Set<string>();
  let depth = 0;
  let last = '';
  for (const [piece] of body.matchAll(PIECES)) {
    if (piece === '{' || piece === '[') depth += 1;
    else if (piece === '}' || piece === ']') depth -= 1;
    else if (piece === ':' && depth === 1) {
      const name = JSON.parse(last) as string;
      if (seen.has(name)) return protocolError(400, `The request names ${name} twice.`);
      seen.add(name);
    }
    last = piece;
  }
  return undefined;
}

/** Said fast, of nearly all bodies: none of our names occurs twice in it, in any spelling. */
function mayRepeat(body: string): boolean {
  if (body.includes(String.raw`\u`)) return true;
  return NAMES.some((name) => {
    const quoted = `"${name}"`;
    const first = body.indexOf(quoted);
    return first !== -1 && body.includes(quoted, first + 1);
  });
}
