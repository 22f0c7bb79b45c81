import type { ErrorBody } from '@foyer/shared/http/error-body';

/**
 * The header `Upload-Metadata` as @tus/server reads it. As tusd does, it may have blanks around its pairs and commas
 * without a pair; base64 may lack its padding. What is wrong otherwise stays as it is, to be refused.
 *
 * @returns undefined where no pair is named
 */
export function plainMetadata(header: string): string | undefined {
  const pairs = header
    .split(',')
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '');
  return pairs.length === 0 ? undefined : pairs.map(plainPair).join(',');
}

function plainPair(pair: string): string {
  const [key = '', value, ...more] = pair.split(/[ \t]+/);
  if (value === undefined || more.length > 0) return pair;
  const bare = value.replace(/=+$/, '');
  const isPadded = bare !== value;
  return `${key} ${isPadded ? value : bare.padEnd(Math.ceil(bare.length / 4) * 4, '=')}`;
}

/** What the tus server refuses with another status than the protocol asks for, by the beginning of what it says. */
const statuses: readonly [RegExp, number][] = [
  [/^Invalid\b.*\btus-resumable\b/, 412], // tus 1.0, "Tus-Resumable"
  [/^Invalid\b.*\bcontent-type\b/, 415], // tus 1.0, "PATCH"
  [/^Content-Type header required/, 415],
];

/** The status that the tus protocol has for a refusal of @tus/server. */
export const protocolStatus = (status: number, text: string): number =>
  statuses.find(([said]) => said.test(text))?.[1] ?? status;

/** The documented error body for a refusal of @tus/server, by what it says: `Upload-Offset conflict` is `UPLOAD_OFFSET_CONFLICT`. */
export function protocolRefusal(text: string, requestId: string): ErrorBody {
  const message = text.trim();
  const words = message
    .replaceAll(/'s\b/g, '')
    .replaceAll(/[^A-Za-z]+/g, '_')
    .replaceAll(/^_|_$/g, '')
    .toUpperCase();
  return { success: false, code: `UPLOAD_${words.replace(/^UPLOAD_/, '')}`, message, requestId };
}
