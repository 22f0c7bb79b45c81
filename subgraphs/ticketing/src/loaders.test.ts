import type { OrderTicketInfo } from '@foyer/prisma/client';
import type { TicketingDatabase } from '@foyer/prisma/ticketing';
import { expect, it } from 'vitest';

import { openLoaders } from './loaders.ts';

it('loads the lines of a hundred orders in one query, and queries again for the next event', async () => {
  const queries: bigint[][] = [];
  const findMany = async ({ where }: { where: { orderTicketGroupId: { in: bigint[] } } }) => {
    queries.push(where.orderTicketGroupId.in);
    return where.orderTicketGroupId.in.map((orderTicketGroupId) => ({ orderTicketGroupId }) as OrderTicketInfo);
  };
  const { items } = openLoaders({ orderTicketInfo: { findMany } } as unknown as TicketingDatabase);
  const orders = Array.from({ length: 100 }, (_, index) => BigInt(index + 1));

  const found = await Promise.all([...orders, 1n].map((order) => items.load(order)));
  expect(found.map(([item]) => item?.orderTicketGroupId)).toEqual([...orders, 1n]);
  expect(queries).toEqual([orders]);

  await items.load(1n);
  expect(queries).toHaveLength(2);
});
