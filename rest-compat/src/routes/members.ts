import { z } from 'zod';

import { Id, ok, okOf, pageOf, pageReply } from '../answers/envelope.ts';
import { Member, member } from '../answers/people.ts';
import {
  MembersDocument,
  RemoveMemberDocument,
  SetMemberRoleDocument,
  SetMemberStatusDocument,
} from '../generated/operations.ts';
import { offsetArguments } from '@foyer/shared/pagination';
import { route } from '../route.ts';
import { id, inCapitals, inOrganization, list, RoleInput, StatusInput, tenancy } from '../tenancy.ts';

const ofMember = inOrganization.extend({ uid: id });

/** Spec 1, "Core service: identity and tenancy routes": the people of an organization. */
export const members = [
  route('GET', `${tenancy}/:orgId/users`, {
    document: MembersDocument,
    input: list,
    variables: ({ params, query }) => ({ organizationId: params.orgId, ...offsetArguments(query) }),
    answer: pageOf(Member),
    reply: ({ members: found }, { query }) => pageReply(found, member, query),
  }),

  route('PATCH', `${tenancy}/:orgId/users/:uid/role`, {
    document: SetMemberRoleDocument,
    input: z.object({ params: ofMember, body: RoleInput }),
    variables: ({ params, body }) => ({
      input: { organizationId: params.orgId, userId: params.uid, role: body.role },
    }),
    answer: okOf(Member),
    reply: ({ setMemberRole }) => ok(member(setMemberRole)),
  }),

  route('PATCH', `${tenancy}/:orgId/users/:uid/status`, {
    document: SetMemberStatusDocument,
    input: z.object({ params: ofMember, body: StatusInput }),
    variables: ({ params, body }) => ({
      input: { organizationId: params.orgId, userId: params.uid, status: inCapitals[body.status] },
    }),
    answer: okOf(Member),
    reply: ({ setMemberStatus }) => ok(member(setMemberStatus)),
  }),

  route('DELETE', `${tenancy}/:orgId/users/:uid`, {
    document: RemoveMemberDocument,
    input: z.object({ params: ofMember }),
    variables: ({ params }) => ({ input: { organizationId: params.orgId, userId: params.uid } }),
    answer: okOf(Id),
    reply: ({ removeMember }) => ok({ id: removeMember }),
  }),
];
