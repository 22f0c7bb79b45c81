import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startScratchDatabase, type ScratchDatabase } from '../testing/scratch-database.ts';
import { createTicketGroupOnSale } from '../testing/storefront-fixture.ts';
import { findTicketGroups } from './find-ticket-groups.ts';

let scratch: ScratchDatabase;
beforeAll(async () => {
  scratch = await startScratchDatabase();
}, 120_000);
afterAll(() => scratch.stop());

describe('the ticket groups on offer', () => {
  it('follow each other by placement, and by number within one, each on one page', async () => {
    const { db } = scratch;
    const made: { placement: number; id: string }[] = [];
    for (const placement of [2, 1, -1, 2_147_483_647, 1, -2_147_483_647, 2, 1, 2_147_483_647, -2_147_483_647]) {
      const { ticketGroupId } = await createTicketGroupOnSale(db, { dailyCapacity: 1 });
      await db.ticketGroup.update({ where: { ticketGroupId: BigInt(ticketGroupId) }, data: { placement } });
      made.push({ placement, id: ticketGroupId });
    }

    const found: string[] = [];
    let after: string | null = null;
    do {
      const { edges, pageInfo } = await findTicketGroups({ db }, { first: 1, after });
      found.push(...edges.map(({ node }) => String(node.ticketGroupId)));
      after = pageInfo.hasNextPage && found.length <= made.length ? pageInfo.endCursor : null;
    } while (after);

    const inOrder = made.toSorted((one, other) => one.placement - other.placement || Number(one.id) - Number(other.id));
    expect(found).toEqual(inOrder.map(({ id }) => id));
  });
});
