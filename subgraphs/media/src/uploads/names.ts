import { unusableName } from './refusals.ts';

const NAME_LIMIT_BYTES = 200;
const FOLDER_LIMIT_BYTES = 500;

/** Except the joiners U+200C and U+200D, which some languages and emoji need. */
const invisible = /(?![\u200C\u200D])[\p{Cc}\p{Cf}\p{Cs}]/u;

/** No tenant may have these names: the store and the routes use them. */
const reserved = new Set(['uploads', 'assets', 'hls']);

/**
 * Returns a name that can be one segment of a storage key, in Unicode's composed form. Names are refused, never repaired.
 *
 * @param path the client's name for the field
 * @throws {Refusal} `VALIDATION_FAILED`
 */
export function segment(path: string, given: string): string {
  const name = given.normalize('NFC').trim();
  if (name === '') throw unusableName(path, 'must not be empty');
  if (/[\\/]/.test(name)) throw unusableName(path, 'must not have a slash or a backslash');
  if (name.startsWith('.')) throw unusableName(path, 'must not begin with a dot');
  if (invisible.test(name)) throw unusableName(path, 'must not have invisible characters');
  if (Buffer.byteLength(name) > NAME_LIMIT_BYTES)
    throw unusableName(path, `must have at most ${NAME_LIMIT_BYTES} bytes`);
  return name;
}

/** Returns the name of a tenant: the top-level namespace. @throws {Refusal} `VALIDATION_FAILED` */
export function tenantName(given: string): string {
  const name = segment('tenant', given);
  if (reserved.has(name.toLowerCase())) throw unusableName('tenant', `must not be ${name}`);
  return name;
}

/** Returns a folder within the tenant: segments joined by `/`; empty for the top. @throws {Refusal} `VALIDATION_FAILED` */
export function folderPath(given: string | null | undefined): string {
  const trimmed = (given ?? '').replace(/^\/|\/$/g, '');
  if (trimmed === '') return '';
  const folder = trimmed
    .split('/')
    .map((part) => segment('folder', part))
    .join('/');
  if (Buffer.byteLength(folder) > FOLDER_LIMIT_BYTES)
    throw unusableName('folder', `must have at most ${FOLDER_LIMIT_BYTES} bytes`);
  return folder;
}

/** Returns one line of text for people. @throws {Refusal} `VALIDATION_FAILED` */
export function label(path: string, given: string): string {
  const text = given.normalize('NFC').trim();
  if (text === '') throw unusableName(path, 'must not be empty');
  if (/\p{Cc}/u.test(text)) throw unusableName(path, 'must be one line of text');
  if (Buffer.byteLength(text) > 1000) throw unusableName(path, 'must have at most 1000 bytes');
  return text;
}
