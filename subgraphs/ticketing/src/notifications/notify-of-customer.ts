import type { Customer } from '@foyer/prisma/client';
import type { TicketingTransaction } from '@foyer/prisma/ticketing';
import type { Id } from '@foyer/shared/ids';

import { stampOf } from '../units/calendar.ts';
import { maskName } from '../access/masks.ts';

interface News {
  type: 'Customer' | 'Password reset';
  title: string;
  /** @param name as those who are told may know it */
  say(name: string): string;
  at: Date;
  /** Who did it, where it was not the customer. */
  by?: { performedBy: string; authorityLevel: string };
  /** Everybody who sells hears of a new customer. */
  isNew?: boolean;
}

/**
 * Tells staff of a customer, who belongs to no organization: the platform, and each organization by a row of its own, so
 * that one marks nothing as read for another. An organization from which they have ordered knows them; others hear of a
 * new customer without the name.
 */
export async function notifyOfCustomer(
  tx: TicketingTransaction,
  { custId, fullName }: Pick<Customer, 'custId' | 'fullName'>,
  { type, title, say, at, by, isNew = false }: News,
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
