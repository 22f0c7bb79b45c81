import type { Customer, TicketGroup, TicketVariant } from '@foyer/prisma/client';
import type { TicketingDatabase } from '@foyer/prisma/ticketing';
import { inBatches } from '@foyer/shared/in-batches';
import { serialId, type Id } from '@foyer/shared/ids';

import { isDay } from '../units/calendar.ts';
import type { Day } from './availability.ts';

/** A ticket group as orders for one day need it, with the variants that are on sale. */
export interface Offer {
  group: OfferedGroup;
  variants: OfferedVariant[];
  /** Null until somebody orders for the day. */
  day: Day | null;
}

export type OfferedGroup = Pick<
  TicketGroup,
  | 'ticketGroupId'
  | 'organizationId'
  | 'workspaceId'
  | 'groupNameEn'
  | 'isActive'
  | 'activeStartDate'
  | 'activeEndDate'
  | 'closedWeekdays'
  | 'salesCutoff'
  | 'maxAdvanceDays'
  | 'dailyCapacity'
  | 'orderTicketLimit'
>;

export interface OfferedVariant extends Pick<
  TicketVariant,
  'ticketVariantId' | 'itemId' | 'variant' | 'nameBm' | 'nameEn' | 'nameCn' | 'unitPriceSen'
> {
  /** Admissions of it that are left on the day; null where it has no limit of its own. */
  left: number | null;
}

export type Buyer = Pick<Customer, 'custId' | 'hasLogin' | 'isDisabled'>;

type Needs = Pick<TicketingDatabase, '$queryRaw'>;

/** The reads of every order. On a busy day many orders need the same rows, and share one query. */
export interface OrderReads {
  /** Null when there is no such group. */
  offer(wanted: { ticketGroupId: string; admitDate: string }): Promise<Offer | null>;
  customer(custId: Id): Promise<Buyer | null>;
}

export const openOrderReads = (db: Needs): OrderReads => ({
  offer: inBatches({
    keyOf: ({ ticketGroupId, admitDate }) => `${ticketGroupId}/${admitDate}`,
    most: Number.POSITIVE_INFINITY,
    async run(alike: readonly { ticketGroupId: string; admitDate: string }[]) {
      const [{ ticketGroupId, admitDate } = { ticketGroupId: '', admitDate: '' }] = alike;
      const offer = await readOffer(db, serialId(ticketGroupId), isDay(admitDate) ? admitDate : null);
      return alike.map(() => offer);
    },
  }),
  customer: inBatches({
    keyOf: () => '',
    async run(custIds: readonly Id[]) {
      // One statement for any number of them, which is prepared once.
      const customers = await db.$queryRaw<Buyer[]>`
        SELECT cust_id AS "custId", has_login AS "hasLogin", is_disabled AS "isDisabled"
        FROM ticketing.customer WHERE cust_id = ANY(${custIds}::uuid[])`;
      const customerOf = new Map(customers.map((customer) => [customer.custId, customer]));
      return custIds.map((custId) => customerOf.get(custId) ?? null);
    },
  }),
});

type OfferRow = OfferedGroup & (OfferedVariant | { ticketVariantId: null }) & (Day | { capacity: null });

/** By one statement: each more would cost the server as much again. */
async function readOffer(db: Needs, id: bigint | null, admitDate: string | null): Promise<Offer | null> {
  if (id === null) return null;
  const rows = await db.$queryRaw<OfferRow[]>`
    SELECT
      g.ticket_group_id AS "ticketGroupId", g.organization_id AS "organizationId", g.workspace_id AS "workspaceId",
      g.group_name_en AS "groupNameEn", g.is_active AS "isActive", g.active_start_date AS "activeStartDate",
      g.active_end_date AS "activeEndDate", g.closed_weekdays AS "closedWeekdays", g.sales_cutoff AS "salesCutoff",
      g.max_advance_days AS "maxAdvanceDays", g.daily_capacity AS "dailyCapacity", g.order_ticket_limit AS "orderTicketLimit",
      v.ticket_variant_id AS "ticketVariantId", v.item_id AS "itemId", v.variant, v.name_bm AS "nameBm", v.name_en AS "nameEn",
      v.name_cn AS "nameCn", v.unit_price_sen AS "unitPriceSen", coalesce(c.capacity - c.reserved, v.daily_capacity) AS "left", d.capacity, d.reserved, d.closed
    FROM ticketing.ticket_group g
    LEFT JOIN ticketing.ticket_variant v ON v.ticket_group_id = g.ticket_group_id AND v.is_active
    LEFT JOIN ticketing.variant_daily_capacity c
      ON c.ticket_variant_id = v.ticket_variant_id AND c.admit_date = ${admitDate}::date
    LEFT JOIN ticketing.daily_capacity d ON d.ticket_group_id = g.ticket_group_id AND d.admit_date = ${admitDate}::date
    WHERE g.ticket_group_id = ${id}`;
  const [first] = rows;
  if (!first) return null;
  return {
    group: first,
    variants: rows.filter((row) => row.ticketVariantId !== null),
    day: first.capacity === null ? null : first,
  };
}
