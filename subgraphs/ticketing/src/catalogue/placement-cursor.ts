import { serialId } from '@foyer/shared/ids';
import { readCursor, unknownCursor } from '@foyer/shared/pagination';

import { LARGEST_INT } from './inputs.ts';

/**
 * Reads the cursor of a list by placement, and by id within one; null at the beginning of the list.
 *
 * @throws {Refusal} `VALIDATION_FAILED` for any other text
 */
export function readPlacementCursor(cursor: string | undefined): { placement: number; id: bigint } | null {
  const values = readCursor(cursor);
  if (!values) return null;
  const [first = '', second = ''] = values;
  const placement = /^-?\d+$/.test(first) ? Number(first) : Number.NaN;
  const id = serialId(second);
  if (!id || !(Math.abs(placement) <= LARGEST_INT)) throw unknownCursor();
  return { placement, id };
}
