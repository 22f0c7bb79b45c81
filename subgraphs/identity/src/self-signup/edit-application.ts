import type { AuthOrganization } from '@foyer/prisma/client';
import { isUuid } from '@foyer/shared/ids';
import { permitOverOrganization } from '@foyer/shared/auth/permissions';
import { readInput } from '@foyer/shared/read-input';
import { z } from 'zod';

import { auditChange, type AuditNeeds } from '../audit/audit-change.ts';
import type { Context } from '../context.ts';
import type { EditApplicationInput } from '../generated/graphql.ts';
import { withLease } from '../limits/lease.ts';
import { lockOrganization } from '../tenancy/lock-organization.ts';
import { slugOf } from '../tenancy/slug.ts';
import { companyCodeTaken } from '../tenancy/refusals.ts';
import { isUniqueViolation } from '@foyer/shared/database-errors';
import { applicantOf, isOpen } from './applicant.ts';
import { applicationOf, companyCodeText, text, type Application } from './application.ts';
import { findOrphan } from './claim-at-provider.ts';
import { applicationClosed, applicationNotFound } from './refusals.ts';

type Needs = AuditNeeds & Pick<Context, 'permissions' | 'db' | 'clock' | 'identityProvider'>;

const Input = z.object({
  organizationName: text(200).nullish(),
  companyCode: companyCodeText.nullish(),
  username: text(200).nullish(),
});
type Edit = z.output<typeof Input>;

/**
 * Corrects an application that can not be approved as it is. Waits for a running approval.
 *
 * @throws {Refusal} `FORBIDDEN`, `VALIDATION_FAILED`, `APPLICATION_NOT_FOUND`, `APPLICATION_CLOSED`, `COMPANY_CODE_TAKEN`, `BUSY`
 */
export async function editApplication(needs: Needs, input: EditApplicationInput): Promise<Application> {
  const { organizationId: id } = await permitOverOrganization(needs, input.organizationId, 'org:manage');
  const edit = readInput(Input, input);
  if (!isUuid(id)) throw applicationNotFound();
  return withLease(needs, `approval:${id}`, async () => {
    const before = await needs.db.authOrganization.findUnique({ where: { id } });
    const applicant = before && applicantOf(before);
    if (!applicant) throw applicationNotFound();
    if (!isOpen(before)) throw applicationClosed();
    // What an interrupted approval has left at the provider can be found only by the old names.
    const orphan = await findOrphan(needs, before.name, applicant);
    if (orphan) await needs.identityProvider.deleteOrganization(orphan.idpOrgId);
    return record(needs, before, edit);
  });
}

function record(needs: Needs, { id }: AuthOrganization, edit: Edit): Promise<Application> {
  const { organizationName: name, companyCode: code, username } = edit;
  return needs.db
    .$transaction(async (tx) => {
      await lockOrganization(tx, id);
      const after = await tx.authOrganization.update({
        where: { id },
        data: {
          ...(name && { name, slug: slugOf(name) }),
          ...(code && { companyCode: code }),
          ...(username && { applicantUsername: username }),
        },
      });
      if (name) await tx.organization.update({ where: { id }, data: { name } });
      await auditChange(needs, tx, {
        organizationId: id,
        action: 'organization.application-edited',
        target: { kind: 'organization', id },
        details: { name: after.name, companyCode: after.companyCode, username: after.applicantUsername },
      });
      const application = applicationOf(after);
      if (!application) throw applicationNotFound();
      return application;
    })
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? companyCodeTaken() : error;
    });
}
