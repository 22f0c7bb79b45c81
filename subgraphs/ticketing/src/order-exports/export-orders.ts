import type { OrderTicketGroup, TicketGroup } from '@foyer/prisma/client';
import { requireStaff } from '@foyer/shared/auth/viewer';

import { dayColumn, gatewayMoment } from '../units/calendar.ts';
import type { Context } from '../context.ts';
import { ringgitText } from '../units/money.ts';
import { notify } from '../notifications/notify.ts';
import type { RoleScope } from '../access/role-scope.ts';
import type { OrderFilter } from '../generated/graphql.ts';
import { matchingOrders } from '../orders/matching-orders.ts';
import type { OrderExport } from './order-export.ts';
import { digestOf, exportScopeOf } from './open-export.ts';
import { authorityOf, performerOf } from '../orders/staff.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'clock' | 'permissions' | 'exportLinks'>;

const BATCH = 500;

/**
 * Makes a link to a CSV file of the orders that match a filter, out of those that the viewer may see, and notifies staff.
 *
 * @throws {Refusal} `VALIDATION_FAILED`, as the list of orders
 */
export async function exportOrders(needs: Needs, given: OrderFilter | null | undefined): Promise<OrderExport> {
  const staff = requireStaff(needs.viewer);
  const filter = given ?? {};
  const scope = await exportScopeOf(needs);
  const where = await matchingOrders(needs, scope, filter);
  const rows = await needs.db.orderTicketGroup.count({ where });
  const link = await needs.exportLinks.seal({ viewer: staff, filter, scopeDigest: digestOf(scope) });
  const by = performerOf(staff);
  const { organizationId } = staff;
  await needs.db.$transaction((tx) =>
    notify(tx, {
      performedBy: by,
      authorityLevel: authorityOf(staff),
      type: 'Report',
      title: 'Orders exported',
      message: `${by} exported ${rows} orders.`,
      at: needs.clock.now(),
      organizationId,
    }),
  );
  return { ...link, rows };
}

/** The columns by their headings. */
export const columns = [
  'orderNo',
  'createdAt',
  'transactionStatus',
  'bankCurrentStatus',
  'ticketGroup',
  'admitDate',
  'buyerName',
  'buyerEmail',
  'quantity',
  'totalAmount',
  'currency',
  'bankName',
  'gatewayTransactionId',
  'paidAt',
  'isEmailSent',
  'reviewReason',
] as const;

type Line = Record<(typeof columns)[number], string>;

/**
 * Reads the lines of an export, newest first, batch by batch, so that few are in memory at a time.
 *
 * @param orders `scope`: which orders the viewer may see; `filter`: which of these are exported
 * @throws {Refusal} `VALIDATION_FAILED`
 */
export async function* exportLines(
  needs: Pick<Context, 'db'>,
  { scope, filter }: { scope: RoleScope; filter: OrderFilter },
): AsyncGenerator<Line> {
  const where = await matchingOrders(needs, scope, filter);
  let before: bigint | null = null;
  for (;;) {
    const orders: (OrderTicketGroup & { ticketGroup: TicketGroup })[] = await needs.db.orderTicketGroup.findMany({
      where: { AND: [where, before === null ? {} : { orderTicketGroupId: { lt: before } }] },
      orderBy: { orderTicketGroupId: 'desc' },
      take: BATCH,
      include: { ticketGroup: true },
    });
    for (const order of orders) yield lineOf(order);
    const last = orders.at(-1);
    if (!last || orders.length < BATCH) return;
    before = last.orderTicketGroupId;
  }
}

const lineOf = (order: OrderTicketGroup & { ticketGroup: Pick<TicketGroup, 'groupNameEn'> }): Line => ({
  orderNo: order.orderNo,
  createdAt: gatewayMoment(order.createdAt),
  transactionStatus: order.transactionStatus,
  bankCurrentStatus: order.bankCurrentStatus,
  ticketGroup: order.ticketGroup.groupNameEn,
  admitDate: dayColumn(order.admitDate),
  buyerName: order.buyerName,
  buyerEmail: order.buyerEmail,
  quantity: String(order.quantity),
  totalAmount: ringgitText(order.totalAmountSen),
  currency: order.currency,
  bankName: order.bankName,
  gatewayTransactionId: order.gatewayTransactionId ?? '',
  paidAt: order.paidAt ? gatewayMoment(order.paidAt) : '',
  isEmailSent: order.isEmailSent ? 'yes' : 'no',
  reviewReason: order.reviewReason ?? '',
});
