export interface ByteRange {
  /** Both inclusive, in bytes. */
  start: number;
  end: number;
}

/**
 * Reads a Range header (RFC 9110 section 14.2) against an object of `size` bytes.
 *
 * @returns the range; `unsatisfiable` when it lies outside the object; null to send everything: without a header, with
 *   one that can't be read, and for several ranges
 */
export function readRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | null {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '');
  if (!match) return null;
  const [, first = '', last = ''] = match;
  if (first === '' && last === '') return null;
  if (first === '') {
    const length = Number(last);
    return length === 0 || size === 0 ? 'unsatisfiable' : { start: Math.max(size - length, 0), end: size - 1 };
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return null;
  return start >= size ? 'unsatisfiable' : { start, end };
}
