import { badInput } from '@foyer/shared/errors';
import { rowId } from '@foyer/shared/ids';

const MOST = 100;

export interface PageArguments {
  first?: number | null | undefined;
  after?: string | null | undefined;
  offset?: number | null | undefined;
}

export const cursorOf = ({ id }: { id: number | string }) => Buffer.from(`media:${id}`).toString('base64url');

/**
 * Reads the arguments of a list.
 *
 * @returns `take` is one more than asked for, to see whether there is more
 * @throws {Refusal} `VALIDATION_FAILED` when they are out of range
 */
export function readPage({ first, after, offset }: PageArguments): {
  first: number;
  take: number;
  skip: number;
  beforeId?: number;
} {
  const count = first ?? 20;
  if (count < 1 || count > MOST) throw badInput([{ path: 'first', message: `must be between 1 and ${MOST}` }]);
  const skip = offset ?? 0;
  if (skip < 0) throw badInput([{ path: 'offset', message: 'must not be negative' }]);
  if (!after) return { first: count, take: count + 1, skip };

  const id = rowId(
    Buffer.from(after, 'base64url')
      .toString()
      .replace(/^media:/, ''),
  );
  if (!id) throw badInput([{ path: 'after', message: 'must be a cursor of this list' }]);
  return { first: count, take: count + 1, skip, beforeId: id };
}
