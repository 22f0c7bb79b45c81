import type { AuthUser } from '@foyer/prisma/client';
import type { Id } from '@foyer/shared/ids';
import { requireService } from '@foyer/shared/auth/viewer';

import type { IdpUser } from '#ports/identity-provider.ts';
import { audit } from '../audit/write-audit.ts';
import type { Context } from '../context.ts';
import { recordMember } from '../start-up/record-member.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'log' | 'identityProvider' | 'client' | 'requestId'> & {
  /** The id of the person who reconciles, for the audit log; undefined for a service. */
  actor?: string;
  /** Called with the number of finished organizations and of all. */
  progress?: (done: number, of: number) => void;
};

/** What a reconciliation found and did. */
export interface Reconciliation {
  dryRun: boolean;
  organizations: number;
  unchanged: number;
  created: ReconciledPerson[];
  activated: ReconciledPerson[];
  updated: ReconciledPerson[];
  elsewhere: ReconciledPerson[];
  missing: ReconciledPerson[];
}

interface ReconciledPerson {
  idpUserId: string;
  userId: Id | null;
  organizationId: Id;
  email: string;
  /** The account state before. */
  was: string | null;
}

type Verdict = 'unchanged' | 'created' | 'activated' | 'updated' | 'elsewhere';

/**
 * Aligns our people with those of the identity provider: every human there becomes an active ORG_MEMBER here, also a
 * disabled one (documented). People with another role keep it; people who exist only here stay and are reported.
 */
export async function reconcile(needs: Needs, { dryRun }: { dryRun: boolean }): Promise<Reconciliation> {
  requireService(needs.viewer);
  const report: Reconciliation = {
    dryRun,
    organizations: 0,
    unchanged: 0,
    created: [],
    activated: [],
    updated: [],
    elsewhere: [],
    missing: [],
  };
  const organizations = await needs.db.authOrganization.findMany({
    where: { idpOrgId: { not: null } },
    orderBy: { id: 'asc' },
  });
  for (const { id, idpOrgId } of organizations) {
    report.organizations += 1;
    await reconcileOrganization(needs, { id, idpOrgId: idpOrgId ?? '' }, report);
    needs.progress?.(report.organizations, organizations.length);
  }
  return report;
}

async function reconcileOrganization(
  needs: Needs,
  { id, idpOrgId }: { id: Id; idpOrgId: string },
  report: Reconciliation,
): Promise<void> {
  const met = new Set<string>();
  for await (const person of needs.identityProvider.listUsers(idpOrgId)) {
    met.add(person.id);
    // Removed since this page was read, or about to be deleted there, because nobody recorded them.
    if ((await needs.db.providerRemoval.count({ where: { idpId: person.id } })) > 0) continue;
    const known = await needs.db.authUser.findUnique({ where: { idpUserId: person.id } });
    const verdict = judge(id, person, known);
    if (verdict === 'unchanged') report.unchanged += 1;
    else report[verdict].push(reconciled(id, person, known));
    if (!report.dryRun && verdict !== 'elsewhere') await align(needs, { organizationId: id, person, known, verdict });
  }
  const here = await needs.db.authUser.findMany({ where: { orgId: id }, orderBy: { id: 'asc' } });
  for (const user of here.filter(({ idpUserId }) => !met.has(idpUserId))) {
    const { idpUserId, email } = user;
    report.missing.push(reconciled(id, { id: idpUserId, email }, user));
  }
}

function judge(organizationId: Id, person: IdpUser, known: AuthUser | null): Verdict {
  if (!known) return 'created';
  if (known.orgId !== organizationId) return 'elsewhere';
  if (known.accountState !== 'active') return 'activated';
  return known.email === person.email ? 'unchanged' : 'updated';
}

const reconciled = (
  organizationId: Id,
  { id, email }: Pick<IdpUser, 'id' | 'email'>,
  known: AuthUser | null,
): ReconciledPerson => ({
  idpUserId: id,
  userId: known?.id ?? null,
  organizationId,
  email,
  was: known?.accountState ?? null,
});

interface Alignment {
  organizationId: Id;
  person: IdpUser;
  known: AuthUser | null;
  verdict: Verdict;
}

/** Called also for people who are the same on both sides: their membership may be missing. */
async function align(needs: Needs, { organizationId, person, known, verdict }: Alignment): Promise<void> {
  const user = await recordMember(needs, organizationId, person);
  const { email } = person;
  await needs.db.$transaction(async (tx) => {
    await tx.organizationMember.createMany({
      data: { organizationId, userId: user.id, role: 'ORG_MEMBER', roleId: 'ORG_MEMBER' },
      skipDuplicates: true,
    });
    if (verdict === 'unchanged') return;
    await tx.authUser.update({ where: { id: user.id }, data: { accountState: 'active', email } });
    await tx.user.update({ where: { id: user.id }, data: { email } });
    await audit(tx, {
      organizationId,
      userId: needs.actor ?? null,
      action: `user.${verdict}`,
      target: { kind: 'user', id: user.id },
      ip: needs.client.address,
      reason: 'reconcile',
      requestId: needs.requestId,
      details: { was: known?.accountState ?? null },
    });
  });
}
