import type { GraphQLError } from 'graphql';

import { badRequest } from '../request/params.ts';

const NAMES = ['query', 'documentId', 'operationName', 'variables', 'extensions'];
/** Strings and structural characters of JSON. */
const PIECES = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:]/g;

/**
 * The error for a body with a duplicate name: JSON.parse takes the last value, and a proxy may have checked the first.
 *
 * @param body valid JSON: in other text the search for the ends of strings could take very long
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
      if (seen.has(name)) return badRequest(`The request names ${name} twice.`);
      seen.add(name);
    }
    last = piece;
  }
  return undefined;
}

/** A fast check that passes nearly all bodies: no parameter's name occurs twice, in any spelling. */
function mayRepeat(body: string): boolean {
  if (body.includes(String.raw`\u`)) return true;
  return NAMES.some((name) => {
    const quoted = `"${name}"`;
    const first = body.indexOf(quoted);
    return first !== -1 && body.includes(quoted, first + 1);
  });
}
