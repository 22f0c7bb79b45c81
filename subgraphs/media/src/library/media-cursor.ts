import { rowId } from '@foyer/shared/ids';
import { unknownCursor } from '@foyer/shared/pagination';

export const cursorOf = ({ id }: { id: number | string }) => Buffer.from(`media:${id}`).toString('base64url');

/**
 * Returns the filter of the items after a cursor, in a list of media with the newest first.
 *
 * @throws {Refusal} `VALIDATION_FAILED` for a cursor that `cursorOf` did not make
 */
export function olderThan(cursor: string | undefined): { id?: { lt: number } } {
  if (!cursor) return {};
  const text = Buffer.from(cursor, 'base64url').toString();
  const id = rowId(text.replace(/^media:/, ''));
  if (!id) throw unknownCursor();
  return { id: { lt: id } };
}
