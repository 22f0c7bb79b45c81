import { uuidText } from '@foyer/shared/ids';
import { z } from 'zod';

import { answered } from '../answered.ts';
import { EmailProfile, emailProfile, EmailUsage, EmailUsages, emailUsages } from '../answers/email-profiles.ts';
import { Done, done, ok, okOf } from '../answers/envelope.ts';
import {
  CreateEmailProfileDocument,
  DeleteEmailProfileDocument,
  EmailProfilesDocument,
  MapEmailUsageDocument,
  UpdateEmailProfileDocument,
} from '../generated/operations.ts';
import { route } from '../route.ts';

const base = '/api/v1/tenancy/organizations/:orgId/email-profiles';
const usagesBase = '/api/v1/tenancy/organizations/:orgId/email-usages';
const orgId = uuidText('must be a uuid');
const profileId = uuidText('must be a uuid');
const usageInCapitals = { user_invite: 'USER_INVITE', password_reset: 'PASSWORD_RESET' } as const;

const Server = z
  .object({
    host: z.string(),
    port: z.int(),
    tls: z.boolean().default(true),
    username: z.string().nullish(),
    password: z.string().nullish(),
  })
  .meta({ id: 'MailServerInput' });
type Server = z.output<typeof Server>;

const serverOf = ({ host, port, tls, username, password }: Server) => ({
  host,
  port,
  tls,
  username: username ?? null,
  password: password ?? null,
});

/** The documents name e-mail profiles and their usages, but no paths: these are ours. */
export const emailProfiles = [
  route('GET', base, {
    document: EmailProfilesDocument,
    input: z.object({ params: z.object({ orgId }) }),
    variables: ({ params }) => ({ organizationId: params.orgId }),
    answer: okOf(z.array(EmailProfile)),
    reply: ({ emailProfiles: found }) => ok(answered(found).map(emailProfile)),
  }),

  route('POST', base, {
    document: CreateEmailProfileDocument,
    input: z.object({
      params: z.object({ orgId }),
      body: z.object({
        name: z.string(),
        from_name: z.string(),
        from_address: z.string(),
        reply_to: z.string().nullish(),
        server: Server.nullish(),
      }),
    }),
    variables: ({ params, body }) => ({
      organizationId: params.orgId,
      input: {
        name: body.name,
        fromName: body.from_name,
        fromAddress: body.from_address,
        replyTo: body.reply_to ?? null,
        server: body.server ? serverOf(body.server) : null,
      },
    }),
    answer: okOf(EmailProfile),
    reply: ({ createEmailProfile }) => ok(emailProfile(createEmailProfile)),
    status: 201,
  }),

  route('PATCH', `${base}/:profileId`, {
    document: UpdateEmailProfileDocument,
    input: z.object({
      params: z.object({ orgId, profileId }),
      body: z.object({
        name: z.string().optional(),
        from_name: z.string().optional(),
        from_address: z.string().optional(),
        reply_to: z.string().nullish(),
        server: Server.nullish(),
      }),
    }),
    variables: ({ params, body }) => ({
      organizationId: params.orgId,
      profileId: params.profileId,
      // A missing field stays as it is; null clears it.
      input: {
        ...(body.name !== undefined && { name: body.name }),
        ...(body.from_name !== undefined && { fromName: body.from_name }),
        ...(body.from_address !== undefined && { fromAddress: body.from_address }),
        ...(body.reply_to !== undefined && { replyTo: body.reply_to }),
        ...(body.server !== undefined && { server: body.server && serverOf(body.server) }),
      },
    }),
    answer: okOf(EmailProfile),
    reply: ({ updateEmailProfile }) => ok(emailProfile(updateEmailProfile)),
  }),

  route('DELETE', `${base}/:profileId`, {
    document: DeleteEmailProfileDocument,
    input: z.object({ params: z.object({ orgId, profileId }) }),
    variables: ({ params }) => ({ organizationId: params.orgId, profileId: params.profileId }),
    answer: Done,
    reply: () => done,
  }),

  route('GET', usagesBase, {
    document: EmailProfilesDocument,
    input: z.object({ params: z.object({ orgId }) }),
    variables: ({ params }) => ({ organizationId: params.orgId }),
    answer: okOf(EmailUsages),
    reply: ({ emailProfiles: found }) => ok(emailUsages(answered(found))),
  }),

  route('PUT', `${usagesBase}/:usage`, {
    document: MapEmailUsageDocument,
    input: z.object({ params: z.object({ orgId, usage: EmailUsage }), body: z.object({ profile_id: profileId }) }),
    variables: ({ params, body }) => ({
      organizationId: params.orgId,
      usage: usageInCapitals[params.usage],
      profileId: body.profile_id,
    }),
    answer: okOf(EmailUsages),
    reply: ({ mapEmailUsage }) => ok(emailUsages(mapEmailUsage)),
  }),

  route('DELETE', `${usagesBase}/:usage`, {
    document: MapEmailUsageDocument,
    input: z.object({ params: z.object({ orgId, usage: EmailUsage }) }),
    variables: ({ params }) => ({
      organizationId: params.orgId,
      usage: usageInCapitals[params.usage],
      profileId: null,
    }),
    answer: okOf(EmailUsages),
    reply: ({ mapEmailUsage }) => ok(emailUsages(mapEmailUsage)),
  }),
];
