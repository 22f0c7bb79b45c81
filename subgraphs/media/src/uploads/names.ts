import { unusableName } from './refusals.ts';

const MOST_BYTES = 200;
const MOST_FOLDER_BYTES = 500;

/** But for the joiners U+200C and U+200D, which words of some languages, and emoji, are spelled with. */
const invisible = /(?![\u200C\u200D])[\p{Cc}\p{Cf}\p{Cs}]/u;

/** Not a tenant: the store keeps unfinished uploads there. */
const reserved = new Set(['uploads', 'assets', 'hls']);

/**
 * A name that is to become one segment of a storage key, in Unicode's composed form.
 * It is never repaired: what the client asked for is stored, or refused.
 *
 * @param path how the client calls the field
 * @throws {Refusal} `VALIDATION_FAILED`
 */
export function segment(path: string, given: string): string {
  const name = given.normalize('NFC').trim();
  if (name === '') throw unusableName(path, 'must not be empty');
  if (/[\\/]/.test(name)) throw unusableName(path, 'must not have a slash or a backslash');
  if (name.startsWith('.')) throw unusableName(path, 'must not begin with a dot');
  if (invisible.test(name)) throw unusableName(path, 'must not have invisible characters');
  if (Buffer.byteLength(name) > MOST_BYTES) throw unusableName(path, `must have at most ${MOST_BYTES} bytes`);
  return name;
}

/** The top-level namespace. */
export function tenantName(given: string): string {
  const name = segment('tenant', given);
  if (reserved.has(name.toLowerCase())) throw unusableName('tenant', `must not be ${name}`);
  return name;
}

/** A folder within the tenant: segments, or none for its top. */
export function folderPath(given: string | null | undefined): string {
  const trimmed = (given ?? '').replace(/^\/|\/$/g, '');
  if (trimmed === '') return '';
  const folder = trimmed
    .split('/')
    .map((part) => segment('folder', part))
    .join('/');
  if (Buffer.byteLength(folder) > MOST_FOLDER_BYTES)
    throw unusableName('folder', `must have at most ${MOST_FOLDER_BYTES} bytes`);
  return folder;
}

/** Text for people: one line. */
export function label(path: string, given: string): string {
  const text = given.normalize('NFC').trim();
  if (text === '') throw unusableName(path, 'must not be empty');
  if (/\p{Cc}/u.test(text)) throw unusableName(path, 'must be one line of text');
  if (Buffer.byteLength(text) > 1000) throw unusableName(path, 'must have at most 1000 bytes');
  return text;
}
