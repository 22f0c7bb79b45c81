import { demo } from '@foyer/shared/demo';
import { uuidText } from '@foyer/shared/ids';
import { z } from 'zod';

import { answered } from '../answered.ts';
import {
  Account,
  account,
  AuthOrganization,
  authOrganization,
  Reconciliation,
  reconciliation,
} from '../answers/accounts.ts';
import { Deleted, Done, done, pageOf } from '../answers/envelope.ts';
import {
  applicant,
  CreatedOrganization,
  createdOrganization,
  Organization,
  organization,
  SelfSignup,
} from '../answers/organizations.ts';
import { invited, InvitedUser, Member, member } from '../answers/people.ts';
import { blankRefused } from '../blank-fields.ts';
import {
  AccountsDocument,
  type AccountsQuery,
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
} from '../generated/operations.ts';
import { admitService as admit, stub } from '../internal.ts';
import { OptionalPagination, offsetArguments, paginated } from '@foyer/shared/pagination';
import { present } from '../refusals.ts';
import { route } from '../route.ts';
import { inCapitals, StatusInput } from '../tenancy.ts';
import { Invitation, invitation } from './invitations.ts';
import { NewOrganization, newOrganization } from './organizations.ts';
import { Application, application } from './self-signup.ts';

const base = '/api/v1/internal';
const id = uuidText('must be a uuid');
const text = z.string().trim().min(1, 'must not be empty').max(200, 'must have at most 200 characters');

const ofUser = z.object({ id, uid: id });

function accountsOf(organizationId: string, query: z.output<typeof OptionalPagination>) {
  const { first, offset } = offsetArguments(query);
  return { organizationId, limit: first, offset };
}

function accountPage(found: AccountsQuery['accounts'], query: z.output<typeof OptionalPagination>) {
  const { items, totalCount } = answered(found);
  return paginated(items.map(account), query, totalCount);
}

/** Spec 1, "Auth service: internal routes"; docs/internal-routes.md lists all of both services. */
export const internal = [
  route('GET', `${base}/health`, {
    admit,
    document: ServiceHealthDocument,
    input: z.object({}),
    variables: () => ({}),
    answer: Done.extend({ status: z.literal('ok'), licensed: z.boolean() }),
    reply: ({ serviceHealth }) => ({ ...done, status: 'ok' as const, licensed: answered(serviceHealth).licensed }),
  }),

  route('GET', `${base}/platform/users`, {
    admit,
    document: AccountsDocument,
    input: z.object({ query: OptionalPagination }),
    variables: ({ query }) => accountsOf(demo.platform.organizationId, query),
    answer: pageOf(Account),
    reply: ({ accounts }, { query }) => accountPage(accounts, query),
  }),

  route('GET', `${base}/platform/users/email-exists`, {
    admit,
    document: EmailExistsDocument,
    input: z.object({ query: z.object({ email: z.email('must be an e-mail address').max(320) }) }),
    variables: ({ query }) => query,
    answer: Done.extend({ exists: z.boolean() }),
    reply: ({ emailExists }) => ({ ...done, exists: answered(emailExists) }),
  }),

  route('POST', `${base}/platform/reconcile`, {
    admit,
    document: ReconcileDocument,
    // Anything but true and false is refused: a typo must not turn a dry run into a real one.
    input: z.object({
      query: z.object({ dry_run: blankRefused(z.stringbool().default(false)) }),
    }),
    variables: ({ query }) => ({ dryRun: query.dry_run }),
    answer: Reconciliation,
    reply: ({ reconcile }) => reconciliation(reconcile),
  }),

  route('GET', `${base}/orgs/:id`, {
    admit,
    document: AuthOrganizationDocument,
    input: z.object({ params: z.object({ id }) }),
    variables: ({ params }) => params,
    answer: Done.extend({ organization: AuthOrganization }),
    reply: ({ authOrganization: found }) => ({
      ...done,
      organization: authOrganization(present(found, 'organization')),
    }),
  }),

  route('GET', `${base}/orgs/:id/users`, {
    admit,
    document: AccountsDocument,
    input: z.object({ params: z.object({ id }), query: OptionalPagination }),
    variables: ({ params, query }) => accountsOf(params.id, query),
    answer: pageOf(Account),
    reply: ({ accounts }, { query }) => accountPage(accounts, query),
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
    answer: Done.extend({ user: Account }),
    reply: ({ createMember }) => ({ ...done, user: account(createMember) }),
    status: 201,
  }),

  route('POST', `${base}/platform/orgs`, {
    admit,
    document: CreateOrganizationDocument,
    input: z.object({ body: NewOrganization }),
    variables: ({ body }) => ({ input: newOrganization(body) }),
    answer: Done.extend({ organization: CreatedOrganization }),
    reply: ({ createOrganization }) => ({ ...done, organization: createdOrganization(createOrganization) }),
    status: 201,
  }),

  route('POST', `${base}/platform/orgs/self-signup`, {
    admit,
    document: SelfSignupDocument,
    input: z.object({ body: Application }),
    variables: ({ body }) => ({ input: application(body) }),
    answer: SelfSignup,
    reply: ({ selfSignup }) => ({ ...done, organization: applicant(selfSignup) }),
    status: 201,
  }),

  route('PUT', `${base}/platform/orgs/:id/status`, {
    admit,
    document: SetOrganizationStatusDocument,
    input: z.object({ params: z.object({ id }), body: StatusInput }),
    variables: ({ params, body }) => ({
      input: { organizationId: params.id, status: inCapitals[body.status] },
    }),
    answer: Done.extend({ organization: Organization }),
    reply: ({ setOrganizationStatus }) => ({ ...done, organization: organization(setOrganizationStatus) }),
  }),

  route('DELETE', `${base}/platform/orgs/:id`, {
    admit,
    document: DeleteOrganizationDocument,
    input: z.object({ params: z.object({ id }) }),
    variables: ({ params }) => params,
    answer: Deleted,
    reply: ({ deleteOrganization }) => ({ ...done, id: deleteOrganization }),
  }),

  route('POST', `${base}/orgs/:id/users/invite`, {
    admit,
    document: InviteUserDocument,
    input: z.object({ params: z.object({ id }), body: Invitation }),
    variables: ({ params, body }) => ({ organizationId: params.id, input: invitation(body) }),
    answer: InvitedUser,
    reply: ({ inviteUser }) => ({ ...done, user: invited(inviteUser) }),
    status: 201,
  }),

  route('POST', `${base}/orgs/:id/users/:uid/reinvite`, {
    admit,
    document: ReinviteUserDocument,
    input: z.object({ params: ofUser }),
    variables: ({ params }) => ({ organizationId: params.id, userId: params.uid }),
    answer: InvitedUser,
    reply: ({ reinviteUser }) => ({ ...done, user: invited(reinviteUser) }),
  }),

  route('PUT', `${base}/orgs/:id/users/:uid/status`, {
    admit,
    document: SetMemberStatusDocument,
    input: z.object({ params: ofUser, body: StatusInput }),
    variables: ({ params, body }) => ({
      input: { organizationId: params.id, userId: params.uid, status: inCapitals[body.status] },
    }),
    answer: Done.extend({ user: Member }),
    reply: ({ setMemberStatus }) => ({ ...done, user: member(setMemberStatus) }),
  }),

  route('DELETE', `${base}/orgs/:id/users/:uid`, {
    admit,
    document: RemoveMemberDocument,
    input: z.object({ params: ofUser }),
    variables: ({ params }) => ({ input: { organizationId: params.id, userId: params.uid } }),
    answer: Deleted,
    reply: ({ removeMember }) => ({ ...done, id: removeMember }),
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
