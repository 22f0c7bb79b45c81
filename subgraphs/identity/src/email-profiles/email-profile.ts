import type { EmailProfile, EmailUsage, EmailUsageMapping } from '@foyer/prisma/client';
import { problemOfHost } from '@foyer/shared/http/addresses/address-policy';
import { z } from 'zod';

/** A profile as its organization sees it, without the password of its server. */
export interface SeenEmailProfile {
  id: string;
  name: string;
  fromName: string;
  fromAddress: string;
  replyTo: string | null;
  server: { host: string; port: number; tls: boolean; username: string | null; hasPassword: boolean } | null;
  usages: ('USER_INVITE' | 'PASSWORD_RESET')[];
}

const usageNames = { user_invite: 'USER_INVITE', password_reset: 'PASSWORD_RESET' } as const;

export const usageOf = { USER_INVITE: 'user_invite', PASSWORD_RESET: 'password_reset' } as const satisfies Record<
  string,
  EmailUsage
>;

export function emailProfileAsSeen(profile: EmailProfile & { usages: EmailUsageMapping[] }): SeenEmailProfile {
  const { id, name, fromName, fromAddress, replyTo, smtpHost, smtpPort, smtpTls, smtpUsername, smtpPassword } = profile;
  const server =
    smtpHost && smtpPort
      ? { host: smtpHost, port: smtpPort, tls: smtpTls, username: smtpUsername, hasPassword: smtpPassword !== null }
      : null;
  const usages = profile.usages.map(({ usage }) => usageNames[usage]).toSorted();
  return { id, name, fromName, fromAddress, replyTo, server, usages };
}

/** One line: what follows a line break in a header is another header. */
const line = (limit: number) =>
  z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(limit, `must have at most ${limit} characters`)
    .regex(/^[^\p{Cc}]*$/u, 'must be one line');
const address = z.email('must be an e-mail address').max(200, 'must have at most 200 characters');

const Server = z.object({
  host: z
    .string()
    .trim()
    // The address is checked when a mail is sent, since the name may resolve differently by then.
    .refine((host) => problemOfHost(host) === undefined, 'must be the name of a mail server'),
  port: z.int().min(1, 'must be a port').max(65_535, 'must be a port'),
  tls: z.boolean().default(true),
  username: line(200).nullish(),
  password: z.string().min(1, 'must not be empty').max(500, 'must have at most 500 characters').nullish(),
});

export const EmailProfileInput = z.object({
  name: line(100),
  fromName: line(100),
  fromAddress: address,
  replyTo: address.nullish(),
  server: Server.nullish(),
});

/** Null clears an optional field and leaves a required one unchanged. */
export const EmailProfileChanges = z.object({
  name: line(100).nullish(),
  fromName: line(100).nullish(),
  fromAddress: address.nullish(),
  replyTo: address.nullish(),
  server: Server.nullish(),
});

interface Sealing {
  id: string;
  seal(password: string): Uint8Array<ArrayBuffer>;
  /** The profile before the change; none for a new one. */
  before?: EmailProfile;
}

/**
 * The columns of a profile's server. A password that is not sent stays, but only for the host and the user it was given
 * for: otherwise somebody who may not read it could have it sent to their own server.
 */
export function serverColumns(server: z.output<typeof Server> | null, { seal, before }: Sealing) {
  if (!server) return { smtpHost: null, smtpPort: null, smtpTls: true, smtpUsername: null, smtpPassword: null };
  const { host, port, tls, username = null, password } = server;
  const same = before && before.smtpHost === host && before.smtpPort === port && before.smtpUsername === username;
  const kept = same && (tls || !before.smtpTls) ? before.smtpPassword : null;
  return {
    smtpHost: host,
    smtpPort: port,
    smtpTls: tls,
    smtpUsername: username,
    smtpPassword: password ? seal(password) : kept && Uint8Array.from(kept),
  };
}
