import { z } from 'zod';

import type { InvitedPartsFragment, MemberPartsFragment, PersonPartsFragment } from '../generated/operations.ts';
import { Done, lowercase } from './envelope.ts';

export const Person = z
  .object({
    id: z.string(),
    username: z.string().nullable(),
    email: z.string().nullable(),
    first_name: z.string().nullable(),
    last_name: z.string().nullable(),
  })
  .meta({ id: 'Person' });

export const person = ({ id, username, email, firstName, lastName }: PersonPartsFragment): z.input<typeof Person> => ({
  id,
  username,
  email,
  first_name: firstName,
  last_name: lastName,
});

/** Somebody in an organization. */
export const Member = Person.extend({
  role: z.string(),
  account_state: z.enum(['active', 'disabled', 'pending', 'invited']).nullable(),
  joined_at: z.iso.datetime(),
}).meta({ id: 'Member' });

export const member = ({ user, role, accountState, joinedAt }: MemberPartsFragment): z.input<typeof Member> => ({
  ...person(user),
  role,
  account_state: accountState && lowercase(accountState),
  joined_at: joinedAt,
});

/** Somebody in a workspace or a team. */
export const DirectMember = Person.extend({ role: z.string(), added_at: z.iso.datetime() }).meta({
  id: 'DirectMember',
});

interface DirectMemberParts {
  user: PersonPartsFragment;
  role: string;
  addedAt: string;
}

export const directMember = ({ user, role, addedAt }: DirectMemberParts): z.input<typeof DirectMember> => ({
  ...person(user),
  role,
  added_at: addedAt,
});

/** Who was removed from a workspace or a team. */
export const UserId = z.object({ user_id: z.string() }).meta({ id: 'UserId' });

/** An invited user, who becomes a plain member. */
const Invited = Person.extend({ role: z.literal('ORG_MEMBER'), account_state: z.literal('invited') }).meta({
  id: 'Invited',
});

/** The answer to an invitation. */
export const InvitedUser = Done.extend({ user: Invited }).meta({ id: 'InvitedUser' });

export const invited = (user: InvitedPartsFragment): z.input<typeof Invited> => ({
  ...person(user),
  role: 'ORG_MEMBER',
  account_state: 'invited',
});
