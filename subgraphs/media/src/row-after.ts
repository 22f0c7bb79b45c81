import { rowId, type RowId } from '@foyer/shared/ids';
import { unknownCursor } from '@foyer/shared/pagination';

/**
 * The filter for a list that is sorted by the numbers of its rows, which are its cursors.
 *
 * @throws {Refusal} `VALIDATION_FAILED` for any other cursor
 */
export function rowAfter(cursor: string | undefined): { gt?: RowId } {
  if (!cursor) return {};
  const id = rowId(cursor);
  if (id === 0) throw unknownCursor();
  return { gt: id };
}
