import { z } from 'zod';

import { answered } from '../answered.ts';
import { Id, ok, okOf, pageOf, pageReply } from '../answers/envelope.ts';
import { App, CreatedOrganization, createdOrganization, Organization, organization } from '../answers/organizations.ts';
import {
  AppsDocument,
  CreateOrganizationDocument,
  DeleteOrganizationDocument,
  OrganizationAppsDocument,
  OrganizationsDocument,
  SetOrganizationAppsDocument,
  SetOrganizationStatusDocument,
} from '../generated/operations.ts';
import { OptionalPagination, offsetArguments } from '@foyer/shared/pagination';
import { present } from '../refusals.ts';
import { route } from '../route.ts';
import { AppsInput, inCapitals, inOrganization, StatusInput, tenancy, text } from '../tenancy.ts';

export const NewOrganization = z
  .object({
    name: text.trim().min(1, 'must not be empty'),
    company_code: text.trim().min(1, 'must not be empty'),
    hosting_type: z.enum(['cloud', 'on_prem'], 'must be cloud or on_prem').default('cloud'),
    app_ids: AppsInput.shape.app_ids.optional(),
    admin: z
      .object({
        username: text,
        email: text,
        password: text,
        given_name: text.optional(),
        family_name: text.optional(),
      })
      .optional(),
    legal_name: text.optional(),
    website: z.string().max(500, 'must have at most 500 characters').optional(),
    timezone: text.optional(),
    license_duration_days: z.number().int().positive().max(36_500).optional(),
  })
  .meta({ id: 'OrganizationInput' });

export const newOrganization = (body: z.output<typeof NewOrganization>) => ({
  name: body.name,
  companyCode: body.company_code,
  hostingType: body.hosting_type === 'cloud' ? ('CLOUD' as const) : ('ON_PREM' as const),
  appIds: body.app_ids ?? [],
  admin: body.admin && {
    username: body.admin.username,
    email: body.admin.email,
    password: body.admin.password,
    givenName: body.admin.given_name ?? null,
    familyName: body.admin.family_name ?? null,
  },
  legalName: body.legal_name ?? null,
  website: body.website ?? null,
  timezone: body.timezone ?? null,
  licenseDurationDays: body.license_duration_days ?? null,
});

/** Spec 1, "Core service: identity and tenancy routes": organizations and their apps. */
export const organizations = [
  route('POST', tenancy, {
    document: CreateOrganizationDocument,
    input: z.object({ body: NewOrganization }),
    variables: ({ body }) => ({ input: newOrganization(body) }),
    answer: okOf(CreatedOrganization),
    reply: ({ createOrganization: made }) => ok(createdOrganization(made)),
    status: 201,
  }),

  route('GET', tenancy, {
    document: OrganizationsDocument,
    input: z.object({ query: OptionalPagination }),
    variables: ({ query }) => offsetArguments(query),
    answer: pageOf(Organization),
    reply: ({ organizations: found }, { query }) => pageReply(found, organization, query),
  }),

  route('PUT', `${tenancy}/:orgId/status`, {
    document: SetOrganizationStatusDocument,
    input: z.object({ params: inOrganization, body: StatusInput }),
    variables: ({ params, body }) => ({ input: { organizationId: params.orgId, status: inCapitals[body.status] } }),
    answer: okOf(Organization),
    reply: ({ setOrganizationStatus }) => ok(organization(setOrganizationStatus)),
  }),

  route('DELETE', `${tenancy}/:orgId`, {
    document: DeleteOrganizationDocument,
    input: z.object({ params: inOrganization }),
    variables: ({ params }) => ({ id: params.orgId }),
    answer: okOf(Id),
    reply: ({ deleteOrganization }) => ok({ id: deleteOrganization }),
  }),

  route('GET', `${tenancy}/:orgId/apps`, {
    document: OrganizationAppsDocument,
    input: z.object({ params: inOrganization }),
    variables: ({ params }) => ({ id: params.orgId }),
    answer: okOf(z.array(App)),
    reply: ({ organization: found }) => ok(present(found, 'organization').apps),
  }),

  route('PUT', `${tenancy}/:orgId/apps`, {
    document: SetOrganizationAppsDocument,
    input: z.object({ params: inOrganization, body: AppsInput }),
    variables: ({ params, body }) => ({ input: { organizationId: params.orgId, appIds: body.app_ids } }),
    answer: okOf(Organization),
    reply: ({ setOrganizationApps }) => ok(organization(setOrganizationApps)),
  }),

  route('GET', '/api/v1/tenancy/apps', {
    document: AppsDocument,
    input: z.object({}),
    variables: () => ({}),
    answer: okOf(z.array(App)),
    reply: ({ apps }) => ok(answered(apps)),
  }),
];
