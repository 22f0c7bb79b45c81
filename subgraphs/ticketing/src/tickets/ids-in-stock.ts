import type { TicketingDatabase } from '@foyer/prisma/ticketing';

/** Enough for some batches of a busy day; those in stock when the process ends stay unused. */
const STOCK = 256;

/** Takes ids from a sequence, many at once, so that most calls need no query. */
export function idsInStock({ db, sequence }: { db: Pick<TicketingDatabase, '$queryRaw'>; sequence: string }) {
  const stock: bigint[] = [];

  return async (count: number): Promise<bigint[]> => {
    while (stock.length < count) {
      const more = await db.$queryRaw<{ id: bigint }[]>`
        SELECT nextval(${sequence}::regclass) AS id FROM generate_series(1, ${STOCK + count})`;
      stock.push(...more.map(({ id }) => id));
    }
    return stock.splice(0, count).toSorted((one, other) => (one < other ? -1 : 1)); // two stocks may arrive at once
  };
}
