import type { AuthOrganization } from '@foyer/prisma/client';
import type { IdentityDatabase } from '@foyer/prisma/identity';
import { companyCodeOf } from '@foyer/shared/company-code';

/** The organization with this company code, in any case; null when no organization has it. */
export const organizationByCode = (
  db: Pick<IdentityDatabase, 'authOrganization'>,
  companyCode: string,
): Promise<AuthOrganization | null> =>
  db.authOrganization.findUnique({ where: { companyCode: companyCodeOf(companyCode) } });
