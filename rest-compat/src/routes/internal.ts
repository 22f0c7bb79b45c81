import { demo } from '@foyer/shared/demo';
import { uuidText } from '@foyer/shared/ids';
import { z } from 'zod';

import { blankRefused } from '../blank-fields.ts';
import {
  AccountsDocument,
  AuthOrganizationDocument,
  CreateMemberDocument,
  CreateOrganizationDocument,
  DeleteOrganizationDocument,
  EmailExistsDocument,
  InviteUserDocument,
  ReconcileDocument,
  ReinviteUserDocument,
  RemoveMemberDocument,
  SelfSignupDocument,
  ServiceHealthDocument,
  SetMemberStatusDocument,
  SetOrganizationStatusDocument,
  type AccountPartsFragment,
  type ReconciledPartsFragment,
} from '../generated/operations.ts';
import { admitService as admit, stub } from '../internal.ts';
import { OptionalPagination, paginated, offsetArguments } from '@foyer/shared/pagination';
import { present } from '../refusals.ts';
import { route } from '../route.ts';
import { inCapitals, member, organization, accountState } from '../tenancy.ts';
import { Invitation, invitation, invited } from './invitations.ts';
import { createdOrganization, NewOrganization, newOrganization } from './organizations.ts';
import { Application, application, applied } from './self-signup.ts';

const base = '/api/v1/internal';
const id = uuidText('must be a uuid');
const text = z.string().trim().min(1, 'must not be empty').max(200, 'must have at most 200 characters');

const ofUser = z.object({ id, uid: id });

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

function accountsOf(organizationId: string, query: z.output<typeof OptionalPagination>) {
  const { first, offset } = offsetArguments(query);
  return { organizationId, limit: first, offset };
}

/** Spec 1, "Auth service: internal routes"; docs/internal-routes.md lists all of both services. */
export const internal = [
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
    input: z.object({ query: OptionalPagination }),
    variables: ({ query }) => accountsOf(demo.platform.organizationId, query),
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
    // Anything but true and false is refused: a typo must not turn a dry run into a real one.
    input: z.object({
      query: z.object({ dry_run: blankRefused(z.stringbool('must be true or false').default(false)) }),
    }),
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
    input: z.object({ params: z.object({ id }), query: OptionalPagination }),
    variables: ({ params, query }) => accountsOf(params.id, query),
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

  route('POST', `${base}/platform/orgs`, {
    admit,
    document: CreateOrganizationDocument,
    input: z.object({ body: NewOrganization }),
    variables: ({ body }) => ({ input: newOrganization(body) }),
    reply: ({ createOrganization }) => ({ success: true, organization: createdOrganization(createOrganization) }),
    status: 201,
  }),

  route('POST', `${base}/platform/orgs/self-signup`, {
    admit,
    document: SelfSignupDocument,
    input: z.object({ body: Application }),
    variables: ({ body }) => ({ input: application(body) }),
    reply: ({ selfSignup }) => applied(selfSignup),
    status: 201,
  }),

  route('PUT', `${base}/platform/orgs/:id/status`, {
    admit,
    document: SetOrganizationStatusDocument,
    input: z.object({ params: z.object({ id }), body: z.object({ status: accountState }) }),
    variables: ({ params, body }) => ({
      input: { organizationId: params.id, status: inCapitals[body.status] },
    }),
    reply: ({ setOrganizationStatus }) => ({ success: true, organization: organization(setOrganizationStatus) }),
  }),

  route('DELETE', `${base}/platform/orgs/:id`, {
    admit,
    document: DeleteOrganizationDocument,
    input: z.object({ params: z.object({ id }) }),
    variables: ({ params }) => params,
    reply: ({ deleteOrganization }) => ({ success: true, id: deleteOrganization }),
  }),

  route('POST', `${base}/orgs/:id/users/invite`, {
    admit,
    document: InviteUserDocument,
    input: z.object({ params: z.object({ id }), body: Invitation }),
    variables: ({ params, body }) => ({ organizationId: params.id, input: invitation(body) }),
    reply: ({ inviteUser }) => invited(inviteUser),
    status: 201,
  }),

  route('POST', `${base}/orgs/:id/users/:uid/reinvite`, {
    admit,
    document: ReinviteUserDocument,
    input: z.object({ params: ofUser }),
    variables: ({ params }) => ({ organizationId: params.id, userId: params.uid }),
    reply: ({ reinviteUser }) => invited(reinviteUser),
  }),

  route('PUT', `${base}/orgs/:id/users/:uid/status`, {
    admit,
    document: SetMemberStatusDocument,
    input: z.object({ params: ofUser, body: z.object({ status: accountState }) }),
    variables: ({ params, body }) => ({
      input: { organizationId: params.id, userId: params.uid, status: inCapitals[body.status] },
    }),
    reply: ({ setMemberStatus }) => ({ success: true, user: member(setMemberStatus) }),
  }),

  route('DELETE', `${base}/orgs/:id/users/:uid`, {
    admit,
    document: RemoveMemberDocument,
    input: z.object({ params: ofUser }),
    variables: ({ params }) => ({ input: { organizationId: params.id, userId: params.uid } }),
    reply: ({ removeMember }) => ({ success: true, id: removeMember }),
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
