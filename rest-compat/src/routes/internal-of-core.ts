import { uuidText } from '@foyer/shared/ids';
import { z } from 'zod';

import { Done, done, Id } from '../answers/envelope.ts';
import { blankRefused } from '../blank-fields.ts';
import {
  RequestPasswordResetDocument,
  RoleOfUserDocument,
  UpsertOrganizationDocument,
  UpsertUserDocument,
} from '../generated/operations.ts';
import { admitService as admit } from '../internal.ts';
import { present } from '../refusals.ts';
import { route } from '../route.ts';

const base = '/api/v1/internal';
const id = uuidText('must be a uuid');
const text = z.string().trim().min(1, 'must not be empty').max(200, 'must have at most 200 characters');
const inCapitals = { pending: 'PENDING', active: 'ACTIVE', disabled: 'DISABLED' } as const;

/** Spec 1, "Core service: internal routes". */
export const internalOfCore = [
  route('GET', `${base}/users/:id/roles`, {
    admit,
    document: RoleOfUserDocument,
    input: z.object({ params: z.object({ id }), query: z.object({ org_id: blankRefused(id.optional()) }) }),
    variables: ({ params, query }) => ({ userId: params.id, organizationId: query.org_id ?? null }),
    answer: Done.extend({ user_id: z.string(), org_id: z.string(), role: z.string() }),
    reply: ({ roleOfUser }) => {
      const { userId, organizationId, role } = present(roleOfUser, 'role');
      return { ...done, user_id: userId, org_id: organizationId, role };
    },
  }),

  route('POST', `${base}/users`, {
    admit,
    document: UpsertUserDocument,
    input: z.object({
      body: z.object({
        id,
        organization_id: id,
        email: z.email('must be an e-mail address').max(320),
        username: text,
        first_name: z.string().max(200).optional(),
        last_name: z.string().max(200).optional(),
      }),
    }),
    variables: ({ body: { organization_id, first_name, last_name, ...body } }) => ({
      input: {
        ...body,
        organizationId: organization_id,
        firstName: first_name ?? null,
        lastName: last_name ?? null,
      },
    }),
    answer: Done.extend({ user: Id }),
    reply: ({ upsertUser }) => ({ ...done, user: upsertUser }),
  }),

  route('POST', `${base}/organizations`, {
    admit,
    document: UpsertOrganizationDocument,
    input: z.object({
      body: z.object({ id, name: text, status: z.enum(['pending', 'active', 'disabled']).optional() }),
    }),
    variables: ({ body: { status, ...body } }) => ({
      input: { ...body, status: status ? inCapitals[status] : null },
    }),
    answer: Done.extend({ organization: Id }),
    reply: ({ upsertOrganization }) => ({ ...done, organization: upsertOrganization }),
  }),

  route('POST', `${base}/email/password-reset`, {
    admit,
    document: RequestPasswordResetDocument,
    input: z.object({ body: z.object({ email: text, company_code: text }) }),
    variables: ({ body }) => ({ input: { email: body.email, companyCode: body.company_code } }),
    answer: Done,
    reply: () => done,
  }),
];
