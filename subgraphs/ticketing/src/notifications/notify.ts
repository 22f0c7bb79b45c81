import type { Notification } from '@foyer/prisma/client';
import type { TicketingTransaction } from '@foyer/prisma/ticketing';
import type { Id } from '@foyer/shared/ids';

/** Whom a notification concerns; the whole platform when nobody is named. */
interface About {
  organizationId?: Id | null;
  workspaceId?: Id | null;
  /** The platform is told the same by a row of its own. */
  repeatsPlatform?: boolean;
}

/**
 * Tells staff something (spec 2, "Notifications": the internal call with six strings), together
 * with the fact that it tells of, or not at all.
 *
 * @param authorityLevel ADMIN, SYSADMIN, MEMBER, CUSTOMER or system
 * @param notificationType Customer, Password reset, Admin Account Profile, Admin Management, Order or Report
 * @param date DD-MM-YYYY HH:mm:ss in Malaysian time
 * @returns what was written; who follows is told with the commit
 */
export const notify = (
  tx: TicketingTransaction,
  performedBy: string,
  authorityLevel: string,
  notificationType: string,
  title: string,
  message: string,
  date: string,
  about: About = {},
): Promise<Notification> =>
  tx.notification.create({
    data: { performedBy, authorityLevel, type: notificationType, title, message, date, ...about },
  });
