import type { Notification, Prisma } from '@foyer/prisma/client';
import { serialId, type Id } from '@foyer/shared/ids';
import { permitInWorkspace } from '@foyer/shared/auth/permissions';

import {
  connectionOf,
  cursorOf,
  readCursor,
  readPage,
  unknownCursor,
  type PageArguments,
} from '@foyer/shared/pagination';
import type { Context } from '../context.ts';
import { roleScopeOf, withOrganizationWide } from '../access/role-scope.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'permissions'>;

const PERMISSION = 'notifications:view';
const MOST = 200;
const COUNTED = 99;

/** Lists the viewer's notifications, newest first. */
export async function listNotifications(needs: Needs, page: PageArguments) {
  return listWhere(needs, await visibleNotifications(needs), page);
}

/** Lists the notifications of one workspace, newest first. */
export async function listWorkspaceNotifications(needs: Needs, workspaceId: Id, page: PageArguments) {
  return listWhere(needs, await permitInWorkspace(needs, workspaceId, PERMISSION), page);
}

/** Counts the unread notifications: a number up to 99, or `99+`. */
export async function countUnread(needs: Needs): Promise<string> {
  const where = { ...(await visibleNotifications(needs)), isRead: false, isDeleted: false };
  const count = await needs.db.notification.count({ where, take: COUNTED + 1 });
  return count > COUNTED ? `${COUNTED}+` : String(count);
}

/** Selects the viewer's notifications; those that repeat one of the platform are left out for viewers who see that one. */
export async function visibleNotifications(needs: Needs): Promise<Prisma.NotificationWhereInput> {
  const scope = await roleScopeOf(needs, PERMISSION);
  return scope.organizationId ? withOrganizationWide(scope) : { repeatsPlatform: false };
}

async function listWhere({ db }: Needs, where: Prisma.NotificationWhereInput, page: PageArguments) {
  const { first, take, after } = readPage(page, MOST);
  const position = after ? positionOf(after) : null;
  const rows = await db.notification.findMany({
    where: { AND: [where, { isDeleted: false }, position ? { position: { lt: position } } : {}] },
    orderBy: { position: 'desc' },
    take,
  });
  return connectionOf(rows, first, cursorOfNotification);
}

/** @throws {Refusal} `VALIDATION_FAILED` for a text that is no cursor of notifications */
export function positionOf(cursor: string): bigint {
  const position = serialId(readCursor(cursor)?.[0] ?? '');
  if (!position) throw unknownCursor();
  return position;
}

/** The cursor of lists and of `notificationAdded`: both are in the order of commits. */
export const cursorOfNotification = ({ position }: Pick<Notification, 'position'>) => cursorOf(position ?? 0n);
