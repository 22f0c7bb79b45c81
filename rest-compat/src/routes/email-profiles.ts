import { uuidText } from '@foyer/shared/ids';
import { z } from 'zod';

import {
  CreateEmailProfileDocument,
  DeleteEmailProfileDocument,
  EmailProfilesDocument,
  MapEmailUsageDocument,
  UpdateEmailProfileDocument,
  type EmailProfilePartsFragment,
} from '../generated/operations.ts';
import { route } from '../route.ts';

const base = '/api/v1/tenancy/organizations/:orgId/email-profiles';
const usagesBase = '/api/v1/tenancy/organizations/:orgId/email-usages';
const orgId = uuidText('must be a uuid');
const profileId = uuidText('must be a uuid');
const usage = z.enum(['user_invite', 'password_reset'], 'must be user_invite or password_reset');
const usageInCapitals = { user_invite: 'USER_INVITE', password_reset: 'PASSWORD_RESET' } as const;

const Server = z.object({
  host: z.string(),
  port: z.int(),
  tls: z.boolean().default(true),
  username: z.string().nullish(),
  password: z.string().nullish(),
});
type Server = z.output<typeof Server>;

const profile = (found: EmailProfilePartsFragment) => ({
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
  usages: found.usages.map((name) => name.toLowerCase()),
});

/** The profile of each usage, or null. */
const mapping = (profiles: readonly EmailProfilePartsFragment[]) =>
  Object.fromEntries(
    usage.options.map((name) => [
      name,
      profiles.find(({ usages }) => usages.includes(usageInCapitals[name]))?.id ?? null,
    ]),
  );

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
    reply: ({ emailProfiles: found }) => ({ success: true, data: found.map(profile) }),
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
    reply: ({ createEmailProfile }) => ({ success: true, data: profile(createEmailProfile) }),
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
    reply: ({ updateEmailProfile }) => ({ success: true, data: profile(updateEmailProfile) }),
  }),

  route('DELETE', `${base}/:profileId`, {
    document: DeleteEmailProfileDocument,
    input: z.object({ params: z.object({ orgId, profileId }) }),
    variables: ({ params }) => ({ organizationId: params.orgId, profileId: params.profileId }),
    reply: () => ({ success: true }),
  }),

  route('GET', usagesBase, {
    document: EmailProfilesDocument,
    input: z.object({ params: z.object({ orgId }) }),
    variables: ({ params }) => ({ organizationId: params.orgId }),
    reply: ({ emailProfiles: found }) => ({ success: true, data: mapping(found) }),
  }),

  route('PUT', `${usagesBase}/:usage`, {
    document: MapEmailUsageDocument,
    input: z.object({ params: z.object({ orgId, usage }), body: z.object({ profile_id: profileId }) }),
    variables: ({ params, body }) => ({
      organizationId: params.orgId,
      usage: usageInCapitals[params.usage],
      profileId: body.profile_id,
    }),
    reply: ({ mapEmailUsage }) => ({ success: true, data: mapping(mapEmailUsage) }),
  }),

  route('DELETE', `${usagesBase}/:usage`, {
    document: MapEmailUsageDocument,
    input: z.object({ params: z.object({ orgId, usage }) }),
    variables: ({ params }) => ({
      organizationId: params.orgId,
      usage: usageInCapitals[params.usage],
      profileId: null,
    }),
    reply: ({ mapEmailUsage }) => ({ success: true, data: mapping(mapEmailUsage) }),
  }),
];
