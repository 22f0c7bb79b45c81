import type { Notification } from '@foyer/prisma/client';
import type { TicketingTransaction } from '@foyer/prisma/ticketing';
import type { Id } from '@foyer/shared/ids';

import { stampOf } from '../units/calendar.ts';

/** A notification to staff; it concerns the whole platform when it names no organization. */
interface NewNotification {
  performedBy: string;
  /** ADMIN, SYSADMIN, MEMBER, CUSTOMER or system. */
  authorityLevel: string;
  /** Customer, Password reset, Admin Account Profile, Admin Management, Order or Report. */
  type: string;
  title: string;
  message: string;
  at: Date;
  organizationId?: Id | null;
  workspaceId?: Id | null;
  /** The platform gets the same notification as a row of its own. */
  repeatsPlatform?: boolean;
}

/**
 * Notifies staff (spec 2, "Notifications") in the transaction that makes the fact true. Subscribers receive it with the
 * commit.
 */
export const notify = (tx: TicketingTransaction, { at, ...notification }: NewNotification): Promise<Notification> =>
  tx.notification.create({ data: { ...notification, date: stampOf(at) } });
