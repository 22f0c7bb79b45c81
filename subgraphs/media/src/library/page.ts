import { rowId } from '@foyer/shared/ids';
import { unknownCursor } from '@foyer/shared/pagination';

export const cursorOf = ({ id }: { id: number | string }) => Buffer.from(`media:${id}`).toString('base64url');

/**
 * The filter for what follows a cursor in a list of media, newest first.
 *
 * @throws {Refusal} `VALIDATION_FAILED` for what `cursorOf` did not make
 */
export function olderThan(cursor: string | undefined): { id?: { lt: number } } {
  if (!cursor) return {};
  const text = Buffer.from(cursor, 'base64url').toString();
  const id = rowId(text.replace(/^media:/, ''));
  if (!id) throw unknownCursor();
  return { id: { lt: id } };
}
