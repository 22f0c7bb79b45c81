import { protocolError } from './refusals.ts';

const NAMES = ['query', 'documentId', 'operationName', 'variables', 'extensions'];
/** Texts, and the signs that say where they stand. */
const PIECES = /"(?:[^"\\]|\\.)*"|[{}[\]:]/g;

/**
 * Refuses a body that names something twice: JSON.parse takes the last one, and whoever looked at the request on its
 * way may have looked at the first.
 *
 * @throws {GraphQLError} `BAD_REQUEST`
 */
export function refuseRepeated(body: string): void {
  if (!mayRepeat(body)) return;
  const seen = new Set<string>();
  let depth = 0;
  let last = '';
  for (const [piece] of body.matchAll(PIECES)) {
    if (piece === '{' || piece === '[') depth += 1;
    else if (piece === '}' || piece === ']') depth -= 1;
    else if (piece === ':' && depth === 1) {
      const name = nameIn(last);
      if (seen.has(name)) throw protocolError(400, `The request names ${name} twice.`);
      seen.add(name);
    }
    last = piece;
  }
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

const nameIn = (text: string): string => {
  try {
    return String(JSON.parse(text));
  } catch {
    return text; // no JSON: the parser says so
  }
};
