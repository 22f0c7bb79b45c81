import { z } from 'zod';

import type {
  CreateOrganizationMutation,
  OrganizationPartsFragment,
  SelfSignupMutation,
} from '../generated/operations.ts';
import { Done, lowercase } from './envelope.ts';
import { Person, person } from './people.ts';
import { Workspace, workspace } from './workspaces.ts';

const Status = z.enum(['pending', 'active', 'disabled']);

export const App = z.object({ id: z.string(), name: z.string(), description: z.string() }).meta({ id: 'App' });

export const Organization = z
  .object({
    id: z.string(),
    name: z.string(),
    status: Status.optional(),
    legal_name: z.string().nullable(),
    website: z.string().nullable(),
    timezone: z.string().nullable(),
    app_ids: z.array(z.string()),
  })
  .meta({ id: 'Organization' });

export const organization = (found: OrganizationPartsFragment): z.input<typeof Organization> => ({
  id: found.id,
  name: found.name,
  ...(found.status && { status: lowercase(found.status) }),
  legal_name: found.legalName,
  website: found.website,
  timezone: found.timezone,
  app_ids: found.apps.map((app) => app.id),
});

/** A new organization, with what was created for it. */
export const CreatedOrganization = Organization.extend({
  company_code: z.string(),
  hosting_type: z.enum(['cloud', 'on_prem']),
  admin: Person.optional(),
  workspace: Workspace.optional(),
  license_key: z.string().optional(),
}).meta({ id: 'CreatedOrganization' });

export const createdOrganization = (
  made: CreateOrganizationMutation['createOrganization'],
): z.input<typeof CreatedOrganization> => ({
  ...organization(made.organization),
  company_code: made.companyCode,
  hosting_type: lowercase(made.hostingType),
  ...(made.admin && { admin: person(made.admin) }),
  ...(made.workspace && { workspace: workspace(made.workspace) }),
  ...(made.licenseKey && { license_key: made.licenseKey }),
});

/** An organization that applied for itself. */
const Applicant = z
  .object({ id: z.string(), name: z.string(), company_code: z.string(), status: Status })
  .meta({ id: 'Applicant' });

/** The answer to a self-signup. */
export const SelfSignup = Done.extend({ organization: Applicant }).meta({ id: 'SelfSignup' });

export const applicant = ({
  organizationId,
  name,
  companyCode,
  status,
}: SelfSignupMutation['selfSignup']): z.input<typeof Applicant> => ({
  id: organizationId,
  name,
  company_code: companyCode,
  status: lowercase(status),
});
