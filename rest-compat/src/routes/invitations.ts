import { uuidText } from '@foyer/shared/ids';
import { z } from 'zod';

import { answered } from '../answered.ts';
import { done } from '../answers/envelope.ts';
import { MagicLink, magicLinkReply } from '../answers/magic-links.ts';
import { invited, InvitedUser } from '../answers/people.ts';
import { Login, loginReply } from '../answers/sessions.ts';
import {
  InviteUserDocument,
  MagicLinkDocument,
  RedeemMagicLinkDocument,
  ReinviteUserDocument,
} from '../generated/operations.ts';
import { route } from '../route.ts';
import { inCapitals, platform } from '../platform.ts';

const tenancy = '/api/v1/tenancy/organizations/:orgId';
const orgId = uuidText('must be a uuid');
const text = z.string().trim().min(1, 'must not be empty').max(200, 'must have at most 200 characters');
const token = z.string().min(1, 'must not be empty').max(200, 'must have at most 200 characters');

/** A role is accepted and ignored, as documented: everyone becomes ORG_MEMBER. */
export const Invitation = z
  .object({
    username: text,
    given_name: text,
    family_name: text,
    email: z.email('must be an e-mail address').max(200, 'must have at most 200 characters'),
  })
  .meta({ id: 'Invitation' });

const MagicLinkToken = z.object({ token }).meta({ id: 'MagicLinkToken' });

export const invitation = ({ username, email, given_name, family_name }: z.output<typeof Invitation>) => ({
  username,
  email,
  givenName: given_name,
  familyName: family_name,
});

/** Spec 1, "Invite, redeem and reset flows". */
export const invitations = [
  route('POST', `${tenancy}/invitations`, {
    document: InviteUserDocument,
    input: z.object({
      params: z.object({ orgId }),
      body: Invitation,
    }),
    variables: ({ params, body }) => ({ organizationId: params.orgId, input: invitation(body) }),
    answer: InvitedUser,
    reply: ({ inviteUser }) => ({ ...done, user: invited(inviteUser) }),
    status: 201,
  }),

  route('POST', `${tenancy}/users/:uid/reinvite`, {
    document: ReinviteUserDocument,
    input: z.object({ params: z.object({ orgId, uid: uuidText('must be a uuid') }) }),
    variables: ({ params }) => ({ organizationId: params.orgId, userId: params.uid }),
    answer: InvitedUser,
    reply: ({ reinviteUser }) => ({ ...done, user: invited(reinviteUser) }),
  }),

  ...(['/auth/magic-link', '/api/v1/auth/magic-link'] as const).flatMap((base) => [
    route('GET', `${base}/status`, {
      token: 'ignored',
      document: MagicLinkDocument,
      input: z.object({ query: z.object({ token }) }),
      variables: ({ query }) => query,
      answer: MagicLink,
      reply: ({ magicLink }) => magicLinkReply(answered(magicLink)),
    }),

    route('POST', `${base}/redeem`, {
      token: 'ignored',
      document: RedeemMagicLinkDocument,
      input: z.object({
        headers: z.object({ 'service-platform': platform.default('web') }),
        body: MagicLinkToken,
      }),
      variables: ({ headers, body }) => ({
        input: { token: body.token, platform: inCapitals[headers['service-platform']] },
      }),
      answer: Login,
      reply: ({ redeemMagicLink }) => loginReply(redeemMagicLink),
    }),
  ]),
];
