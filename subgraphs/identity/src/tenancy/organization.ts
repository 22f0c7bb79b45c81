import type { Organization } from '@foyer/prisma/client';
import type { Id } from '@foyer/shared/ids';

/** An organization as some viewer sees it. */
export interface SeenOrganization {
  id: Id;
  name: string;
  status: 'PENDING' | 'ACTIVE' | 'DISABLED' | null;
  legalName: string | null;
  website: string | null;
  timezone: string | null;
  /** Whether the viewer may know more than the name. */
  known: boolean;
}

const statuses = { pending: 'PENDING', active: 'ACTIVE', disabled: 'DISABLED' } as const;

export function organizationAsSeen(organization: Organization, known: boolean): SeenOrganization {
  const { id, name, status, legalName, website, timezone } = organization;
  if (known) return { id, name, status: statuses[status], legalName, website, timezone, known };
  return { id, name, status: null, legalName: null, website: null, timezone: null, known };
}
