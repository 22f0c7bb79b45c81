import type { Media as MediaRow, Prisma } from '@foyer/prisma/client';
import { rowId } from '@foyer/shared/ids';
import { cursorOf, readCursor, unknownCursor } from '@foyer/shared/pagination';

import type { MediaSort } from '../generated/graphql.ts';

/**
 * One order of the library. Its cursor holds the name of the order, the value of its column (nothing where the row has
 * none) and the row's id, which makes every place unique.
 */
interface Order {
  by: Prisma.MediaOrderByWithRelationInput[];
  valueOf(row: MediaRow): string | number | bigint | null;
  /** The filter of the rows after a place; undefined for a value that this order can't have. */
  after(value: string, id: number): Prisma.MediaWhereInput | undefined;
}

const orders: Record<MediaSort, Order> = {
  NEWEST: { by: [{ id: 'desc' }], valueOf: () => null, after: (_value, id) => ({ id: { lt: id } }) },
  OLDEST: { by: [{ id: 'asc' }], valueOf: () => null, after: (_value, id) => ({ id: { gt: id } }) },
  TITLE: {
    by: [{ titleKey: 'asc' }, { id: 'asc' }],
    valueOf: ({ titleKey }) => titleKey,
    // The first condition is the index's; the second decides among equals.
    after: (titleKey, id) => ({
      titleKey: { gte: titleKey },
      OR: [{ titleKey: { gt: titleKey } }, { id: { gt: id } }],
    }),
  },
  LARGEST: {
    by: [{ fileSize: 'desc' }, { id: 'desc' }],
    valueOf: ({ fileSize }) => fileSize,
    after(value, id) {
      if (!/^\d{1,18}$/.test(value)) return undefined;
      const fileSize = BigInt(value);
      return { fileSize: { lte: fileSize }, OR: [{ fileSize: { lt: fileSize } }, { id: { lt: id } }] };
    },
  },
  LONGEST: {
    by: [{ duration: { sort: 'desc', nulls: 'last' } }, { id: 'desc' }],
    valueOf: ({ duration }) => duration,
    after(value, id) {
      if (value === '') return { duration: null, id: { lt: id } };
      const duration = Number(value);
      if (!Number.isFinite(duration)) return undefined;
      return { OR: [{ duration: { lt: duration } }, { duration, id: { lt: id } }, { duration: null }] };
    },
  },
};

export const orderBy = (sort: MediaSort) => orders[sort].by;

/** Makes the cursor of a row in one order of the library. */
export const mediaCursor =
  (sort: MediaSort) =>
  (row: MediaRow): string =>
    cursorOf(sort, orders[sort].valueOf(row) ?? '', row.id);

/**
 * Returns the filter of the items after a cursor, in the order that the cursor was made for.
 *
 * @throws {Refusal} `VALIDATION_FAILED` for any other text, and for the cursor of another order
 */
export function mediaAfter(sort: MediaSort, cursor: string | undefined): Prisma.MediaWhereInput {
  const values = readCursor(cursor);
  if (!values) return {};
  const [madeFor, value = '', id = '', ...more] = values;
  const isOurs = madeFor === sort && more.length === 0 && rowId(id) > 0;
  const after = isOurs ? orders[sort].after(value, rowId(id)) : undefined;
  if (!after) throw unknownCursor();
  return after;
}
