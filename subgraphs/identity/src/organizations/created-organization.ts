import type { Organization, User, Workspace } from '@foyer/prisma/client';

/** A new organization, with what was created along with it. */
export interface CreatedOrganization {
  organization: Organization;
  companyCode: string;
  hostingType: 'CLOUD' | 'ON_PREM';
  admin?: User;
  workspace?: Workspace;
  licenseKey?: string;
}
