import { randomUUID } from 'node:crypto';

import { readId } from '@foyer/shared/ids';
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

  describe('with a tag', () => {
    const [museum, other] = [`Museum ${randomUUID()}`, `Other ${randomUUID()}`];

    /** Makes a ticket group, and returns how to change it. */
    async function make(given: { tags: string[]; placement?: number; isActive?: boolean; organizationId?: string }) {
      const { ticketGroupId } = await createTicketGroupOnSale(scratch.db, { dailyCapacity: 1 });
      const change = (data: object) =>
        scratch.db.ticketGroup.update({ where: { ticketGroupId: BigInt(ticketGroupId) }, data });
      await change(given);
      return { id: ticketGroupId, change };
    }
    const find = async (filter: object, page: object = {}) => {
      const { edges } = await findTicketGroups(scratch, { filter, ...page });
      return edges.map(({ node }) => node);
    };
    const idsWith = async (tag: string) => (await find({ tag })).map((group) => String(group.ticketGroupId));

    it('are those that have it as it is written, whole, in the order of all, each on one page', async () => {
      const { db } = scratch;
      const organizationId = randomUUID();
      await make({ tags: [museum], placement: 3, organizationId });
      for (const placement of [2, -1, 2]) await make({ tags: [other, museum], placement });
      await make({ tags: [museum, museum], placement: 1, organizationId });
      for (const tag of [museum.toUpperCase(), museum.slice(0, -1), `${museum} `]) await make({ tags: [tag] });

      const had = await db.ticketGroup.findMany({
        where: { tags: { has: museum } },
        orderBy: [{ placement: 'asc' }, { ticketGroupId: 'asc' }],
      });
      expect(had).toHaveLength(5);
      expect(await find({ tag: museum })).toEqual(had);
      expect(await find({ tag: museum, organizationId: readId(organizationId) })).toEqual(
        had.filter((group) => group.organizationId === organizationId),
      );
      const paged: unknown[] = [];
      let after: string | null = null;
      do {
        const { edges, pageInfo } = await findTicketGroups(scratch, { filter: { tag: museum }, first: 2, after });
        paged.push(...edges.map(({ node }) => node));
        after = pageInfo.hasNextPage && paged.length <= had.length ? pageInfo.endCursor : null;
      } while (after);
      expect(paged).toEqual(had);
    });

    it('follow each change of a ticket group', async () => {
      const [old, new_] = [randomUUID(), randomUUID()];
      const first = await make({ tags: [old], placement: 1 });
      const second = await make({ tags: [old], placement: 2 });
      expect(await idsWith(old)).toEqual([first.id, second.id]);

      await first.change({ placement: 3 });
      expect(await idsWith(old)).toEqual([second.id, first.id]);

      await first.change({ tags: [new_, old] });
      await second.change({ tags: [] });
      expect([await idsWith(old), await idsWith(new_)]).toEqual([[first.id], [first.id]]);

      await first.change({ isActive: false });
      expect([await idsWith(old), await idsWith(new_)]).toEqual([[], []]);
      await first.change({ tags: [old] });
      expect(await idsWith(old)).toEqual([]);
      await first.change({ isActive: true });
      expect([await idsWith(old), await idsWith(new_)]).toEqual([[first.id], []]);

      const organizationId = randomUUID();
      await first.change({ organizationId });
      expect(await find({ tag: old, organizationId: readId(organizationId) })).toHaveLength(1);

      await scratch.db.ticketVariant.deleteMany({ where: { ticketGroupId: BigInt(first.id) } });
      await scratch.db.ticketGroup.delete({ where: { ticketGroupId: BigInt(first.id) } });
      expect(await idsWith(old)).toEqual([]);
    });
  });
});
