import type { ErrorBody } from '@foyer/shared/http/error-body';

/**
 * Normalizes the header `Upload-Metadata` for @tus/server. As tusd does, it accepts blanks around pairs, commas without a
 * pair, and base64 without padding. Anything else that is wrong stays, to be refused.
 *
 * @returns undefined for a header without pairs
 */
export function normalizeMetadata(header: string): string | undefined {
  const pairs = header
    .split(',')
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '');
  return pairs.length === 0 ? undefined : pairs.map(normalizePair).join(',');
}

function normalizePair(pair: string): string {
  const [key = '', value, ...more] = pair.split(/[ \t]+/);
  if (value === undefined || more.length > 0) return pair;
  const bare = value.replace(/=+$/, '');
  const isPadded = bare !== value;
  return `${key} ${isPadded ? value : bare.padEnd(Math.ceil(bare.length / 4) * 4, '=')}`;
}

/** The refusals for which @tus/server uses another status than the protocol requires, by the beginning of their text. */
const statuses: readonly [RegExp, number][] = [
  [/^Invalid\b.*\btus-resumable\b/, 412], // tus 1.0, "Tus-Resumable"
  [/^Invalid\b.*\bcontent-type\b/, 415], // tus 1.0, "PATCH"
  [/^Content-Type header required/, 415],
];

/** Returns the status that the tus protocol requires for a refusal of @tus/server. */
export const protocolStatus = (status: number, text: string): number =>
  statuses.find(([pattern]) => pattern.test(text))?.[1] ?? status;

/**
 * Returns the documented error body for a refusal of @tus/server, by the first sentence of its text: `Upload-Offset
 * conflict` is `UPLOAD_OFFSET_CONFLICT`.
 */
export function protocolRefusal(text: string, requestId: string): ErrorBody {
  const message = text.trim();
  const [rule = ''] = message.split('. ');
  const words = rule
    .replaceAll(/'s\b/g, '')
    .replaceAll(/[^A-Za-z]+/g, '_')
    .replaceAll(/^_|_$/g, '')
    .toUpperCase();
  return { success: false, code: `UPLOAD_${words.replace(/^UPLOAD_/, '')}`, message, requestId };
}
