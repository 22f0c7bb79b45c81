import type { IdentityTransaction } from '@foyer/prisma/identity';
import type { Id } from '@foyer/shared/ids';
import { staffNotificationJob, type StaffNotification } from '@foyer/shared/jobs/staff-notification';

import type { Context } from '../context.ts';
import { personOf } from '../tenancy/person.ts';

type Needs = Pick<Context, 'viewer' | 'jobs' | 'clock'>;
type SystemNotification = Pick<StaffNotification, 'type' | 'title' | 'message' | 'organizationId'>;

const administrators = new Set(['ORG_OWNER', 'ORG_ADMIN']);

/** Notifies staff of something that the system did, in the same transaction. */
export const notifyStaff = (
  needs: Omit<Needs, 'viewer'>,
  tx: IdentityTransaction,
  notification: SystemNotification,
): Promise<void> => enqueue(needs, tx, { ...notification, performedBy: 'system', authorityLevel: 'system' });

/**
 * Notifies staff of a changed password. Spec 2: "Admin Account Profile when an admin changed their profile or
 * password".
 */
export async function notifyOfOwnPassword(needs: Needs, tx: IdentityTransaction): Promise<void> {
  const by = await actorOf(needs, tx);
  if (!by || by.authorityLevel === 'MEMBER') return;
  const { organizationId, ...actor } = by;
  const message = `${by.performedBy} has changed their password.`;
  const type = 'Admin Account Profile';
  await enqueue(needs, tx, { ...actor, type, title: 'Password changed', message, organizationId });
}

/**
 * Notifies staff of a change of an administrator. Spec 2: "Admin Management when a SYSADMIN created, updated or deleted
 * an admin". Other people's changes cause no notification.
 *
 * @param roles what the person was, and is
 * @param what such as "was removed"
 */
export async function notifyOfAdministrator(
  needs: Needs,
  tx: IdentityTransaction,
  { userId, organizationId, roles, what }: { userId: Id; organizationId: Id; roles: string[]; what: string },
): Promise<void> {
  if (!roles.some((role) => administrators.has(role))) return;
  const by = await actorOf(needs, tx);
  const person = await tx.user.findUnique({ where: { id: userId } });
  if (by?.authorityLevel !== 'SYSADMIN' || !person) return;
  const { performedBy, authorityLevel } = by;
  const message = `${personOf(person).name} ${what}.`;
  const type = 'Admin Management';
  await enqueue(needs, tx, { performedBy, authorityLevel, type, title: 'Administrator', message, organizationId });
}

/** The acting person, with their role in the legacy scheme (docs/decisions/0016-access.md). */
async function actorOf({ viewer }: Needs, tx: IdentityTransaction) {
  if (viewer?.kind !== 'staff') return null;
  const { userId, organizationId, role } = viewer;
  const [person, onPlatform] = [
    await tx.user.findUnique({ where: { id: userId } }),
    await tx.platformMember.findUnique({ where: { userId } }),
  ];
  const inOrganization = administrators.has(role) ? 'ADMIN' : 'MEMBER';
  const authorityLevel = onPlatform ? 'SYSADMIN' : inOrganization;
  return { performedBy: person ? personOf(person).name : userId, authorityLevel, organizationId } as const;
}

const enqueue = (
  { jobs, clock }: Omit<Needs, 'viewer'>,
  tx: IdentityTransaction,
  notification: Omit<StaffNotification, 'at'>,
) => jobs.enqueue(staffNotificationJob, { ...notification, at: clock.now().toISOString() }, { within: tx });
