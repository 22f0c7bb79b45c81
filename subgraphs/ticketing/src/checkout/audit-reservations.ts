import type { Id } from '@foyer/shared/ids';
import { defineJob, worker } from '@foyer/shared/jobs/job';
import { z } from 'zod';

import type { Services } from '../context.ts';
import { notify } from '../notifications/notify.ts';

type Needs = Pick<Services, 'db' | 'clock' | 'log'>;

/** A day, or a variant's day, whose reserved places differ from the sum of its orders. */
interface Discrepancy {
  ticketGroupId: bigint;
  organizationId: Id;
  workspaceId: Id;
  /** YYYY-MM-DD */
  admitDate: string;
  /** Null: the day as a whole. */
  ticketVariantId: bigint | null;
  reserved: number;
  ordered: number;
}

const auditReservationsJob = defineJob({
  name: 'ticketing.audit-reservations',
  data: z.object({}).loose(),
  retries: 3,
  retryDelaySeconds: 60,
  // 02:30 in Malaysia.
  cron: '30 18 * * *',
});

export const auditReservationsWorker = (services: Needs) =>
  worker(auditReservationsJob, () => auditReservations(services));

/** Compares the reserved places of each day with its orders; reports every difference to staff and to the log. */
export async function auditReservations(needs: Needs): Promise<void> {
  const now = needs.clock.now();
  for (const wrong of await findDiscrepancies(needs)) {
    const { ticketGroupId, ticketVariantId, admitDate, reserved, ordered, organizationId, workspaceId } = wrong;
    needs.log.error(wrong, 'a day holds something else than its orders');
    const what = `Ticket group ${ticketGroupId}${ticketVariantId ? `, variant ${ticketVariantId}` : ''}`;
    const message = `${what} holds ${reserved} places on ${admitDate}, its orders add up to ${ordered}.`;
    const by = { performedBy: 'system', authorityLevel: 'system' };
    const report = { type: 'Report', title: 'Capacity does not add up', message, at: now };
    await needs.db.$transaction((tx) => notify(tx, { ...by, ...report, organizationId, workspaceId }));
  }
}

/** Finds every day, and every variant's day, whose reserved places differ from the sum of its orders. */
export const findDiscrepancies = ({ db }: Pick<Needs, 'db'>): Promise<Discrepancy[]> => db.$queryRaw<Discrepancy[]>`
  WITH held AS (
    SELECT * FROM ticketing.order_ticket_group WHERE transaction_status IN ('INITIATED', 'PENDING', 'SUCCESS', 'FREE')
  ), by_day AS (
    SELECT ticket_group_id, admit_date, sum(quantity) AS ordered FROM held GROUP BY 1, 2
  ), by_variant AS (
    SELECT i.ticket_variant_id, i.admit_date, sum(i.quantity_bought) AS ordered
    FROM held JOIN ticketing.order_ticket_info i USING (order_ticket_group_id) GROUP BY 1, 2
  ), compared AS (
    SELECT ticket_group_id, admit_date, NULL::bigint AS ticket_variant_id, coalesce(reserved, 0) AS reserved,
      coalesce(ordered, 0)::int AS ordered
    FROM ticketing.daily_capacity FULL JOIN by_day USING (ticket_group_id, admit_date)
    UNION ALL
    -- Only variants with a capacity of their own have a row.
    SELECT v.ticket_group_id, c.admit_date, c.ticket_variant_id, c.reserved, coalesce(ordered, 0)::int
    FROM ticketing.variant_daily_capacity c
    JOIN ticketing.ticket_variant v USING (ticket_variant_id)
    LEFT JOIN by_variant b ON b.ticket_variant_id = c.ticket_variant_id AND b.admit_date = c.admit_date
  )
  SELECT c.ticket_group_id AS "ticketGroupId", g.organization_id AS "organizationId",
    g.workspace_id AS "workspaceId", c.admit_date::text AS "admitDate",
    c.ticket_variant_id AS "ticketVariantId", c.reserved, c.ordered
  FROM compared c JOIN ticketing.ticket_group g USING (ticket_group_id)
  WHERE c.reserved <> c.ordered
  ORDER BY c.admit_date, c.ticket_group_id`;
