import { serialId } from '@foyer/shared/ids';
import { readCursor } from '@foyer/shared/pagination';

import { LARGEST_INT } from './inputs.ts';

/**
 * Reads the cursor of a list by placement, and by id within one.
 *
 * @returns null at the beginning of the list, and for the cursor of another one
 * @throws {Refusal} `VALIDATION_FAILED` for any other text
 */
export function readPlacementCursor(cursor: string | undefined): { placement: number; id: bigint } | null {
  const [first = '', second = ''] = readCursor(cursor) ?? [];
  const placement = /^-?\d+$/.test(first) ? Number(first) : Number.NaN;
  const id = serialId(second);
  return id && Math.abs(placement) <= LARGEST_INT ? { placement, id } : null;
}
