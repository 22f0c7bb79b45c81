import { z } from 'zod';

import type { IdpOrganization, IdpUser } from '#ports/identity-provider.ts';

/**
 * The parts of the provider's answers that we use. Zero values are left out on the wire; 64-bit numbers are strings.
 */
const count = z.coerce.number().int().default(0);
const text = z.string().default('');
const yes = z.boolean().default(false);

/** An object; an empty body is no answer. */
export const Nothing = z.looseObject({});

export const Organizations = z.object({
  result: z
    .array(z.object({ id: z.string(), name: text, state: text }))
    .default([])
    .transform((found) =>
      found.map(({ id, name, state }): IdpOrganization => ({
        id,
        name,
        active: state === 'ORGANIZATION_STATE_ACTIVE',
      })),
    ),
});

export const AddedOrganization = z
  .object({ organizationId: z.string(), createdAdmins: z.array(z.object({ userId: z.string() })).default([]) })
  .transform(({ organizationId, createdAdmins }) => ({
    organizationId,
    adminIds: createdAdmins.map(({ userId }) => userId),
  }));

const User = z
  .object({
    userId: z.string(),
    username: text,
    preferredLoginName: text,
    details: z.object({ resourceOwner: z.string() }),
    human: z.object({
      profile: z.object({ givenName: text, familyName: text }).prefault({}),
      email: z.object({ email: text }).prefault({}),
      passwordChangeRequired: yes,
    }),
  })
  .transform(({ userId, username, preferredLoginName, details, human }): IdpUser => ({
    id: userId,
    organizationId: details.resourceOwner,
    username,
    loginName: preferredLoginName || username,
    email: human.email.email,
    givenName: human.profile.givenName,
    familyName: human.profile.familyName,
    passwordChangeRequired: human.passwordChangeRequired,
  }));

export const Users = z.object({
  details: z.object({ totalResult: count }).prefault({}),
  result: z.array(User).default([]),
});

export const CreatedUser = z.object({ id: z.string() }).transform(({ id }) => id);
export const AddedUser = z.object({ userId: z.string() }).transform(({ userId }) => userId);
export const CreatedSession = z.object({ sessionId: z.string() }).transform(({ sessionId }) => sessionId);

export const Complexity = z
  .object({
    settings: z.object({
      minLength: count,
      requiresUppercase: yes,
      requiresLowercase: yes,
      requiresNumber: yes,
      requiresSymbol: yes,
    }),
  })
  .transform(({ settings }) => ({
    minLength: settings.minLength,
    uppercase: settings.requiresUppercase,
    lowercase: settings.requiresLowercase,
    number: settings.requiresNumber,
    symbol: settings.requiresSymbol,
  }));
