import { z } from 'zod';

import type { MagicLinkQuery } from '../generated/operations.ts';
import { Done, lowercase } from './envelope.ts';

/** A magic link, with its invitation while it is valid. */
export const MagicLink = Done.extend({
  valid: z.boolean(),
  status: z.enum(['valid', 'expired', 'invalid']),
  expires_at: z.iso.datetime().nullable(),
  email: z.string().nullable().optional(),
  username: z.string().nullable().optional(),
  organization: z.object({ name: z.string().nullable(), company_code: z.string().nullable() }).optional(),
}).meta({ id: 'MagicLink' });

export const magicLinkReply = ({
  status,
  expiresAt,
  email,
  username,
  organizationName,
  companyCode,
}: NonNullable<MagicLinkQuery['magicLink']>): z.input<typeof MagicLink> => ({
  success: true,
  valid: status === 'VALID',
  status: lowercase(status),
  expires_at: expiresAt,
  ...(status === 'VALID' && { email, username, organization: { name: organizationName, company_code: companyCode } }),
});
