import type { AuthOrganization } from '@foyer/prisma/client';
import { COMPANY_CODE, companyCodeOf } from '@foyer/shared/company-code';
import type { Id } from '@foyer/shared/ids';
import { z } from 'zod';

import { applicantOf } from './applicant.ts';

/** Text of an applicant, without surrounding blanks. */
export const text = (limit: number) =>
  z.string().trim().min(1, 'must not be empty').max(limit, `must have at most ${limit} characters`);

/** The company code of a new organization, in capitals. */
export const companyCodeText = z
  .string()
  .overwrite(companyCodeOf)
  .regex(COMPANY_CODE, 'must have 2 to 50 letters, digits, hyphens or underscores');

/** An application for an organization, and its state. */
export interface Application {
  organizationId: Id;
  name: string;
  companyCode: string;
  username: string;
  email: string;
  givenName: string;
  familyName: string;
  phone: string | null;
  state: 'PENDING' | 'DECLINED' | 'ACTIVE';
}

const states = { pending: 'PENDING', declined: 'DECLINED', active: 'ACTIVE' } as const;

/** @returns null for an organization that nobody applied for */
export function applicationOf(organization: AuthOrganization): Application | null {
  const applicant = applicantOf(organization);
  if (!applicant) return null;
  const { id: organizationId, name, companyCode, applicantState } = organization;
  const { language: _ofMails, ...person } = applicant;
  return { organizationId, name, companyCode, ...person, state: states[applicantState ?? 'pending'] };
}
