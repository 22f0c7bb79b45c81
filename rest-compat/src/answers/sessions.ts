import { z } from 'zod';

import type { SessionPartsFragment, SignInPartsFragment } from '../generated/operations.ts';
import { Done, lowercase } from './envelope.ts';
import { Person, person } from './people.ts';

/** The answer to a login. Web clients get their tokens as cookies, never in a body (decisions: response shapes). */
export const Login = Done.extend({
  access_token: z.string().optional(),
  refresh_token: z.string().optional(),
  user: Person,
  expires_in: z.int(),
  password_change_required: z.boolean(),
}).meta({ id: 'Login' });

export const loginReply = ({
  user,
  accessToken,
  refreshToken,
  ...session
}: SignInPartsFragment): z.input<typeof Login> => ({
  success: true,
  ...(accessToken && refreshToken && { access_token: accessToken, refresh_token: refreshToken }),
  user: person(user),
  expires_in: session.expiresIn,
  password_change_required: session.passwordChangeRequired,
});

export const Session = z
  .object({
    id: z.string(),
    platform: z.enum(['web', 'mobile']),
    device: z.string(),
    ip: z.string(),
    created_at: z.iso.datetime(),
    last_used_at: z.iso.datetime(),
    expires_at: z.iso.datetime(),
    current: z.boolean(),
  })
  .meta({ id: 'Session' });

export const oneSession = (session: SessionPartsFragment): z.input<typeof Session> => ({
  id: session.id,
  platform: lowercase(session.platform),
  device: session.device,
  ip: session.address,
  created_at: session.createdAt,
  last_used_at: session.lastUsedAt,
  expires_at: session.expiresAt,
  current: session.current,
});

/** How many sessions ended. */
export const Revoked = Done.extend({ revoked: z.int() }).meta({ id: 'Revoked' });
