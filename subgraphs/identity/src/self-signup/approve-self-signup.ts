import type { AuthOrganization } from '@foyer/prisma/client';
import type { IdentityTransaction } from '@foyer/prisma/identity';

import type { Context } from '../context.ts';
import { askForMail } from '../mails/send-mail.ts';
import { furnishOrganization } from '../organizations/furnish-organization.ts';
import { randomPassword } from '../passwords/random-password.ts';

type Needs = Pick<Context, 'identityProvider' | 'jobs' | 'log' | 'sealer' | 'settings'>;

/**
 * Makes an organization that somebody applied for real, in the transaction that makes it active: at the
 * identity provider with its administrator, who gets a temporary password by e-mail. One without an
 * applicant, or that is real already, stays as it is. The caller holds the organization's row.
 *
 * @throws {Refusal} `ORGANIZATION_NAME_TAKEN`, `USERNAME_TAKEN`
 */
export async function approveSelfSignup(needs: Needs, tx: IdentityTransaction, organizationId: string): Promise<void> {
  const organization = await tx.authOrganization.findUniqueOrThrow({ where: { id: organizationId } });
  const person = applicantOf(organization);
  if (!person || organization.idpOrgId) return;

  const password = randomPassword();
  const { organizationId: idpOrgId, userId: idpUserId } = await needs.identityProvider.createOrganizationWithAdmin(
    organization.name,
    { ...person, password, changeRequired: true },
  );
  try {
    await tx.authOrganization.update({ where: { id: organizationId }, data: { idpOrgId } });
    await furnishOrganization(tx, organizationId, { ...person, idpUserId, passwordChangeRequired: true });
    await askForMail(needs, tx, {
      to: person.email,
      letter: {
        kind: 'temporary-password',
        name: person.givenName,
        organization: organization.name,
        username: person.username,
        companyCode: organization.companyCode,
        password,
        url: needs.settings.frontendUrl,
      },
    });
  } catch (error) {
    await needs.identityProvider.deleteOrganization(idpOrgId).catch((left: unknown) => {
      needs.log.warn({ err: left, idpOrgId }, 'an organization that could not be approved stays at the provider');
    });
    throw error;
  }
}

function applicantOf(organization: AuthOrganization) {
  const { applicantEmail: email, applicantUsername, applicantGivenName, applicantFamilyName } = organization;
  if (!email) return null;
  return {
    email,
    username: applicantUsername ?? email,
    givenName: applicantGivenName ?? organization.name,
    familyName: applicantFamilyName ?? organization.name,
  };
}
