import type { Customer } from '@foyer/prisma/client';
import type { TicketingTransaction } from '@foyer/prisma/ticketing';
import type { Id } from '@foyer/shared/ids';

import { stampOf } from '../units/calendar.ts';
import { maskName } from '../access/masks.ts';

interface CustomerNotification {
  type: 'Customer' | 'Password reset';
  title: string;
  /** @param name the customer's name, as the recipients may see it */
  say(name: string): string;
  at: Date;
  /** Who did it, where it was not the customer. */
  by?: { performedBy: string; authorityLevel: string };
  /** Notifies every organization with something on sale. */
  isNew?: boolean;
}

/**
 * Notifies staff about a customer, who belongs to no organization: one row for the platform and one per organization, so
 * that none marks it as read for another. Organizations from which they have ordered see the name; others are notified
 * of a new customer with the name masked.
 */
export async function notifyOfCustomer(
  tx: TicketingTransaction,
  { custId, fullName }: Pick<Customer, 'custId' | 'fullName'>,
  { type, title, say, at, by, isNew = false }: CustomerNotification,
): Promise<void> {
  const knowing = await tx.orderTicketGroup.groupBy({ by: ['organizationId'], where: { custId } });
  const selling = isNew ? await tx.ticketGroup.groupBy({ by: ['organizationId'], where: { isActive: true } }) : [];
  const names = new Map<Id | null, string>([
    [null, fullName],
    ...selling.map(({ organizationId }) => [organizationId as Id, maskName(fullName)] as const),
    ...knowing.map(({ organizationId }) => [organizationId as Id, fullName] as const),
  ]);
  await tx.notification.createMany({
    data: Array.from(names, ([organizationId, name]) => ({
      ...(by ?? { performedBy: name, authorityLevel: 'CUSTOMER' }),
      type,
      title,
      message: say(name),
      date: stampOf(at),
      organizationId,
      repeatsPlatform: organizationId !== null,
    })),
  });
}
