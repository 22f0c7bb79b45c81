import { demo } from '@foyer/shared/demo';
import { z } from 'zod';

import {
  AccountsDocument,
  AuthOrganizationDocument,
  CreateMemberDocument,
  EmailExistsDocument,
  ReconcileDocument,
  RoleOfUserDocument,
  ServiceHealthDocument,
  UpsertOrganizationDocument,
  UpsertUserDocument,
  type AccountPartsFragment,
  type ReconciledPartsFragment,
} from '../generated/operations.ts';
import { admitService as admit, stub } from '../internal.ts';
import { paginated, Pagination } from '../pagination.ts';
import { present } from '../refusals.ts';
import { route } from '../route.ts';

const base = '/api/v1/internal';
const id = z.guid('must be a uuid');
const inCapitals = { pending: 'PENDING', active: 'ACTIVE', disabled: 'DISABLED' } as const;
const text = z.string().trim().min(1, 'must not be empty').max(200, 'must have at most 200 characters');

const account = (found: AccountPartsFragment) => ({
  id: found.id,
  idp_user_id: found.idpUserId,
  org_id: found.organizationId,
  username: found.username,
  email: found.email,
  account_state: found.accountState,
  password_change_required: found.passwordChangeRequired,
  created_at: found.createdAt,
});

const reconciled = (found: readonly ReconciledPartsFragment[]) =>
  found.map((person) => ({
    idp_user_id: person.idpUserId,
    user_id: person.userId,
    org_id: person.organizationId,
    email: person.email,
    was: person.was,
  }));

const pageOf = (organizationId: string, { page, limit }: z.output<typeof Pagination>) => ({
  organizationId,
  limit,
  offset: (page - 1) * limit,
});

/** Spec 1, "Auth service: internal routes"; docs/internal-routes.md lists all of both services. */
const ofAuthService = [
  route('GET', `${base}/health`, {
    admit,
    document: ServiceHealthDocument,
    input: z.object({}),
    variables: () => ({}),
    reply: ({ serviceHealth }) => ({ success: true, status: 'ok', licensed: serviceHealth.licensed }),
  }),

  route('GET', `${base}/platform/users`, {
    admit,
    document: AccountsDocument,
    input: z.object({ query: Pagination }),
    variables: ({ query }) => pageOf(demo.platform.organizationId, query),
    reply: ({ accounts }, { query }) => paginated(accounts.items.map(account), query, accounts.totalCount),
  }),

  route('GET', `${base}/platform/users/email-exists`, {
    admit,
    document: EmailExistsDocument,
    input: z.object({ query: z.object({ email: z.email('must be an e-mail address').max(320) }) }),
    variables: ({ query }) => query,
    reply: ({ emailExists }) => ({ success: true, exists: emailExists }),
  }),

  route('POST', `${base}/platform/reconcile`, {
    admit,
    document: ReconcileDocument,
    // A word that is neither is refused: a slip must not turn a rehearsal into the real thing.
    input: z.object({ query: z.object({ dry_run: z.stringbool('must be true or false').default(false) }) }),
    variables: ({ query }) => ({ dryRun: query.dry_run }),
    reply: ({ reconcile }) => ({
      success: true,
      dry_run: reconcile.dryRun,
      organizations: reconcile.organizations,
      unchanged: reconcile.unchanged,
      created: reconciled(reconcile.created),
      activated: reconciled(reconcile.activated),
      updated: reconciled(reconcile.updated),
      elsewhere: reconciled(reconcile.elsewhere),
      missing: reconciled(reconcile.missing),
    }),
  }),

  route('GET', `${base}/orgs/:id`, {
    admit,
    document: AuthOrganizationDocument,
    input: z.object({ params: z.object({ id }) }),
    variables: ({ params }) => params,
    reply: ({ authOrganization }) => {
      const found = present(authOrganization, 'organization');
      return {
        success: true,
        organization: {
          id: found.id,
          name: found.name,
          slug: found.slug,
          company_code: found.companyCode,
          hosting_type: found.hostingType,
          status: found.status,
          idp_org_id: found.idpOrgId,
          created_at: found.createdAt,
        },
      };
    },
  }),

  route('GET', `${base}/orgs/:id/users`, {
    admit,
    document: AccountsDocument,
    input: z.object({ params: z.object({ id }), query: Pagination }),
    variables: ({ params, query }) => pageOf(params.id, query),
    reply: ({ accounts }, { query }) => paginated(accounts.items.map(account), query, accounts.totalCount),
  }),

  route('POST', `${base}/orgs/:id/users`, {
    admit,
    document: CreateMemberDocument,
    input: z.object({
      params: z.object({ id }),
      body: z.object({
        username: text,
        email: z.email('must be an e-mail address').max(200),
        given_name: text,
        family_name: text,
        password: z.string().min(1).max(200),
      }),
    }),
    variables: ({ params, body: { username, email, given_name, family_name, password } }) => ({
      input: {
        organizationId: params.id,
        username,
        email,
        givenName: given_name,
        familyName: family_name,
        password,
      },
    }),
    reply: ({ createMember }) => ({ success: true, user: account(createMember) }),
    status: 201,
  }),

  stub('GET', `${base}/platform/orgs`),
  stub('GET', `${base}/platform/orgs/:id`),
  stub('PATCH', `${base}/platform/orgs/:id`),
  stub('PUT', `${base}/platform/orgs/:id/company-code`),
  stub('GET', `${base}/platform/orgs/:id/license`),
  stub('PUT', `${base}/platform/orgs/:id/license`),
  stub('GET', `${base}/platform/users/:uid`),
  stub('PATCH', `${base}/platform/users/:uid`),
  stub('GET', `${base}/orgs/:id/users/:uid`),
  stub('PATCH', `${base}/orgs/:id/users/:uid`),
  stub('GET', `${base}/orgs/:id/users/:uid/sessions`),
];

/** Spec 1, "Core service: internal routes". */
const ofCoreService = [
  route('GET', `${base}/users/:id/roles`, {
    admit,
    document: RoleOfUserDocument,
    input: z.object({ params: z.object({ id }), query: z.object({ org_id: id.optional() }) }),
    variables: ({ params, query }) => ({ userId: params.id, organizationId: query.org_id ?? null }),
    reply: ({ roleOfUser }) => {
      const { userId, organizationId, role } = present(roleOfUser, 'role');
      return { success: true, user_id: userId, org_id: organizationId, role };
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
    reply: ({ upsertUser }) => ({ success: true, user: upsertUser }),
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
    reply: ({ upsertOrganization }) => ({ success: true, organization: upsertOrganization }),
  }),
];

export const internal = [...ofAuthService, ...ofCoreService];
