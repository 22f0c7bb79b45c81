import type { AuthOrganization } from '@foyer/prisma/client';
import { languages, type Language } from '@foyer/shared/http/language';

/** The person who applied for an organization and will administer it. */
export interface Applicant {
  email: string;
  username: string;
  givenName: string;
  familyName: string;
  phone: string | null;
  /** Of the page on which they applied. */
  language: Language | undefined;
}

/** Whether an application can still be approved: also a declined one, which may be reconsidered. */
export const isOpen = ({ applicantEmail, idpOrgId, applicantState }: AuthOrganization): boolean =>
  applicantEmail !== null && idpOrgId === null && applicantState !== 'active';

/** @returns null for an organization that nobody applied for */
export function applicantOf(organization: AuthOrganization): Applicant | null {
  const { applicantEmail: email, applicantUsername, applicantGivenName, applicantFamilyName } = organization;
  if (!email) return null;
  return {
    email,
    username: applicantUsername ?? email,
    givenName: applicantGivenName ?? organization.name,
    familyName: applicantFamilyName ?? organization.name,
    phone: organization.applicantPhone,
    language: languages.find((language) => language === organization.applicantLanguage),
  };
}
