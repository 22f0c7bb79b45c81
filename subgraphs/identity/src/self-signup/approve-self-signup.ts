import type { AuthOrganization } from '@foyer/prisma/client';
import type { IdentityTransaction } from '@foyer/prisma/identity';
import { isUuid, type Id } from '@foyer/shared/ids';

import { wasRemoved } from '../at-provider/removals.ts';
import type { Context } from '../context.ts';
import { withLease } from '../limits/lease.ts';
import { busy } from '../limits/refusals.ts';
import { enqueueMail } from '../mails/send-mail.ts';
import { setUpOrganization } from '../tenancy/set-up-organization.ts';
import { lockOrganization } from '../tenancy/lock-organization.ts';
import { organizationNotFound } from '../tenancy/refusals.ts';
import { randomPassword } from '../secrets/random-password.ts';
import { notifyOfAdministrator } from '../staff-notifications/notify-staff.ts';
import { applicantOf, isOpen, type Applicant } from './applicant.ts';
import { claimAtProvider } from './claim-at-provider.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'clock' | 'identityProvider' | 'jobs' | 'log' | 'sealer' | 'settings'>;

/** What an approval created at the provider, and the administrator's password. */
interface Approval {
  organization: AuthOrganization;
  person: Applicant;
  password: string;
  idpOrgId: string;
  idpUserId: string;
}

/**
 * Approves an application, also one that was declined before: creates the organization and its administrator, who gets
 * a temporary password by e-mail, at the identity provider and, in the transaction that `record` completes, here. An
 * organization without an applicant, or that exists at the provider already, is only recorded. No lock is held while
 * the provider is called. If the process dies in between, the next approval finds and uses what this one created at the
 * provider.
 *
 * @throws {Refusal} `ORGANIZATION_NOT_FOUND`, `ORGANIZATION_NAME_TAKEN`, `USERNAME_TAKEN`, `BUSY`
 */
export async function approveSelfSignup<Result>(
  needs: Needs,
  organizationId: Id,
  record: (tx: IdentityTransaction) => Promise<Result>,
): Promise<Result> {
  const { db, log } = needs;
  if (!isUuid(organizationId)) throw organizationNotFound();
  return withLease(needs, `approval:${organizationId}`, async () => {
    const organization = await db.authOrganization.findUnique({ where: { id: organizationId } });
    const person = organization && applicantOf(organization);
    if (!person || !isOpen(organization)) return db.$transaction(record);

    const password = randomPassword();
    const claimed = await claimAtProvider(needs, organization, { ...person, password });
    try {
      return await db.$transaction(async (tx) => {
        await setUp(needs, tx, { organization, person, password, ...claimed });
        return record(tx);
      });
    } catch (error) {
      await giveUp(needs, claimed).catch((left: unknown) => {
        log.warn({ err: left, ...claimed }, 'an organization that could not be approved stays at the provider');
      });
      throw error;
    }
  });
}

/** Deletes it, unless a simultaneous approval has recorded it. */
async function giveUp({ db, identityProvider }: Needs, { idpOrgId }: { idpOrgId: string }): Promise<void> {
  if ((await db.authOrganization.count({ where: { idpOrgId } })) > 0) return;
  await identityProvider.deleteOrganization(idpOrgId);
}

async function setUp(needs: Needs, tx: IdentityTransaction, approval: Approval): Promise<void> {
  const { organization, person, password, idpOrgId, idpUserId } = approval;
  await lockOrganization(tx, organization.id);
  if (await wasRemoved(tx, idpOrgId)) throw busy(); // what another attempt left there is about to be deleted
  // Somebody may have declined it meanwhile.
  const waiting = { id: organization.id, status: organization.status, idpOrgId: null };
  const data = { idpOrgId, applicantState: 'active' } as const;
  if ((await tx.authOrganization.updateMany({ where: waiting, data })).count === 0) throw busy();
  const { admin } = await setUpOrganization(tx, organization.id, {
    ...person,
    idpUserId,
    passwordChangeRequired: true,
  });
  await notifyOfAdministrator(needs, tx, {
    userId: admin.id,
    organizationId: organization.id,
    roles: ['ORG_ADMIN'],
    what: 'was made an administrator',
  });
  await enqueueMail(needs, tx, {
    to: person.email,
    // Of the page on which they applied; whoever approves it may read another.
    language: person.language,
    content: {
      kind: 'temporary-password',
      name: person.givenName,
      organization: organization.name,
      username: person.username,
      companyCode: organization.companyCode,
      password,
      url: `${needs.settings.frontendUrl}/login`,
    },
  });
}
