import type { AuthOrganization } from '@foyer/prisma/client';

/** Who applied for an organization, and will administer it. */
export interface Applicant {
  email: string;
  username: string;
  givenName: string;
  familyName: string;
}

/** @returns null for an organization that nobody applied for */
export function applicantOf(organization: AuthOrganization): Applicant | null {
  const { applicantEmail: email, applicantUsername, applicantGivenName, applicantFamilyName } = organization;
  if (!email) return null;
  return {
    email,
    username: applicantUsername ?? email,
    givenName: applicantGivenName ?? organization.name,
    familyName: applicantFamilyName ?? organization.name,
  };
}
