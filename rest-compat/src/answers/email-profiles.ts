import { z } from 'zod';

import type { EmailProfilePartsFragment } from '../generated/operations.ts';
import { lowercase } from './envelope.ts';

/** What mails of an organization are for. */
export const EmailUsage = z.enum(['user_invite', 'password_reset'], 'must be user_invite or password_reset');

export const EmailProfile = z
  .object({
    id: z.string(),
    name: z.string(),
    from_name: z.string(),
    from_address: z.string(),
    reply_to: z.string().nullable(),
    server: z
      .object({
        host: z.string(),
        port: z.int(),
        tls: z.boolean(),
        username: z.string().nullable(),
        has_password: z.boolean(),
      })
      .nullable(),
    usages: z.array(EmailUsage),
  })
  .meta({ id: 'EmailProfile' });

export const emailProfile = (found: EmailProfilePartsFragment): z.input<typeof EmailProfile> => ({
  id: found.id,
  name: found.name,
  from_name: found.fromName,
  from_address: found.fromAddress,
  reply_to: found.replyTo,
  server: found.server && {
    host: found.server.host,
    port: found.server.port,
    tls: found.server.tls,
    username: found.server.username,
    has_password: found.server.hasPassword,
  },
  usages: found.usages.map(lowercase),
});

/** The id of the profile of each usage. */
export const EmailUsages = z
  .object({
    user_invite: z.string().nullable(),
    password_reset: z.string().nullable(),
  })
  .meta({ id: 'EmailUsages' });

export function emailUsages(profiles: readonly EmailProfilePartsFragment[]): z.input<typeof EmailUsages> {
  const profileOf = (usage: EmailProfilePartsFragment['usages'][number]) =>
    profiles.find(({ usages }) => usages.includes(usage))?.id ?? null;
  return { user_invite: profileOf('USER_INVITE'), password_reset: profileOf('PASSWORD_RESET') };
}
