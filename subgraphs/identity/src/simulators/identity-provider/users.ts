import { z } from 'zod';

import { invalid, nameTaken, ProviderError, userNotFound, wrongPassword } from './errors.ts';
import { assertComplex, hashPassword, passwordMatches } from './passwords.ts';
import { details, type Provider } from './provider.ts';
import { newId, type User } from './state.ts';

const Password = z.object({ password: z.string().min(1).max(200), changeRequired: z.boolean().default(false) });

export const Human = z.object({
  profile: z.object({ givenName: z.string().min(1).max(200), familyName: z.string().min(1).max(200) }),
  email: z.object({ email: z.string().min(1).max(200), isVerified: z.boolean().default(false) }),
  password: Password.optional(),
});

const Add = Human.extend({
  userId: z.string().optional(),
  username: z.string().max(200).optional(),
  organization: z.object({ orgId: z.string() }),
});

const Create = z.object({
  organizationId: z.string().min(1),
  userId: z.string().optional(),
  username: z.string().max(200).optional(),
  human: Human,
});

/** AddHumanUser: deprecated since 4.0, and still served. */
export async function addHumanUser(provider: Provider, body: unknown) {
  const { organization, username, userId, ...human } = Add.parse(body);
  assertOrganization(provider, organization.orgId);
  const user = await addHuman(provider, organization.orgId, username ?? human.email.email, human, userId);
  await provider.state.save();
  return { userId: user.id, details: details(user.changedAt, user.organizationId) };
}

export async function createUser(provider: Provider, body: unknown) {
  const { organizationId, username, userId, human } = Create.parse(body);
  assertOrganization(provider, organizationId);
  const user = await addHuman(provider, organizationId, username ?? human.email.email, human, userId);
  await provider.state.save();
  return { id: user.id, creationDate: user.createdAt };
}

/** Adds a person without saving the state yet. User names are unique in the whole instance, in any case. */
export async function addHuman(
  provider: Provider,
  organizationId: string,
  username: string,
  human: z.output<typeof Human>,
  id = newId(),
): Promise<User> {
  const { state, now } = provider;
  const isTaken = () => state.users.some((user) => user.username.toLowerCase() === username.toLowerCase());
  if (state.users.some((user) => user.id === id))
    throw new ProviderError('failed_precondition', 'COMMAND-7yiox1isql', 'User already exists');
  if (isTaken()) throw nameTaken('User');
  if (human.password) assertComplex(human.password.password);
  const passwordHash = human.password && (await hashPassword(human.password.password));
  if (isTaken()) throw nameTaken('User'); // somebody else took it while we hashed
  const at = now().toISOString();
  const user: User = {
    id,
    organizationId,
    username,
    state: 'USER_STATE_ACTIVE',
    createdAt: at,
    changedAt: at,
    human: {
      ...human.profile,
      email: human.email.email,
      emailVerified: human.email.isVerified,
      ...(passwordHash && { passwordHash }),
      changeRequired: human.password?.changeRequired ?? false,
      failedAttempts: 0,
    },
  };
  state.users.push(user);
  provider.touched(id);
  return user;
}

const ById = z.object({ userId: z.string().min(1).max(200) });

/** Reads without the lag of searches. */
export function getUser({ state }: Provider, body: unknown) {
  const { userId } = ById.parse(body);
  const user = state.users.find(({ id }) => id === userId);
  if (!user) throw userNotFound();
  return { details: details(user.changedAt, user.organizationId), user: userOnWire(user) };
}

export async function deleteUser({ state, now }: Provider, body: unknown) {
  const { userId } = ById.parse(body);
  const user = state.users.find(({ id }) => id === userId);
  if (!user) throw new ProviderError('not_found', 'COMMAND-bd4ir1mblj', 'User could not be found');
  state.users = state.users.filter(({ id }) => id !== userId);
  await state.save();
  return { details: details(now().toISOString(), user.organizationId) };
}

/** Deactivate, reactivate, lock, unlock: each from one state to another, and from no other. */
export const moveUser = (from: User['state'], to: User['state']) => async (provider: Provider, body: unknown) => {
  const { userId } = ById.parse(body);
  const user = provider.state.users.find(({ id }) => id === userId);
  if (!user) throw new ProviderError('not_found', 'COMMAND-5gp2p62iin', 'User could not be found');
  if (user.state !== from) throw new ProviderError('failed_precondition', 'COMMAND-s9wqx', 'User is in another state');
  user.state = to;
  if (user.human && to === 'USER_STATE_ACTIVE') user.human.failedAttempts = 0;
  return { details: await saved(provider, user) };
};

const Set = z.object({ userId: z.string().min(1), newPassword: Password, currentPassword: z.string().optional() });

/** SetPassword: deprecated since 4.0, and still served. */
export async function setPassword(provider: Provider, body: unknown) {
  const { userId, newPassword, currentPassword } = Set.parse(body);
  return { details: await changePassword(provider, userId, newPassword, currentPassword) };
}

const Update = z.object({
  userId: z.string().min(1),
  username: z.string().optional(),
  human: z
    .object({
      profile: Human.shape.profile.partial().optional(),
      email: Human.shape.email.optional(),
      password: z.object({ password: Password, currentPassword: z.string().optional() }).optional(),
    })
    .optional(),
});

export async function updateUser(provider: Provider, body: unknown) {
  const { userId, username, human } = Update.parse(body);
  const user = provider.state.users.find(({ id }) => id === userId);
  if (!user?.human) throw new ProviderError('not_found', 'COMMAND-ugjs0upun6', 'User could not be found');
  if (
    username &&
    provider.state.users.some((other) => other !== user && other.username.toLowerCase() === username.toLowerCase())
  ) {
    throw nameTaken('User');
  }
  if (human?.password) await changePassword(provider, userId, human.password.password, human.password.currentPassword);
  if (username) user.username = username;
  Object.assign(
    user.human,
    human?.profile,
    human?.email && { email: human.email.email, emailVerified: human.email.isVerified },
  );
  return { changeDate: (await saved(provider, user)).changeDate };
}

/** Without the current password it is set by an administrator, as our service user may. */
async function changePassword(provider: Provider, userId: string, wanted: z.output<typeof Password>, current?: string) {
  const user = provider.state.users.find(({ id }) => id === userId);
  if (!user?.human) throw new ProviderError('failed_precondition', 'COMMAND-G8dh3', 'Password not found');
  if (current !== undefined) {
    const { passwordHash } = user.human;
    if (!passwordHash || !(await passwordMatches(passwordHash, current)))
      throw wrongPassword(user.human.failedAttempts);
    if (current === wanted.password)
      throw new ProviderError('failed_precondition', 'COMMAND-Aesh5', 'New password must differ');
  }
  assertComplex(wanted.password);
  const passwordHash = await hashPassword(wanted.password).catch(() => {
    throw new ProviderError('internal', 'COMMAND-CahN2', 'An internal error occurred'); // as Zitadel, only here
  });
  Object.assign(user.human, { passwordHash, changeRequired: wanted.changeRequired, failedAttempts: 0 });
  return saved(provider, user);
}

async function saved(provider: Provider, user: User) {
  user.changedAt = provider.now().toISOString();
  provider.touched(user.id);
  await provider.state.save();
  return details(user.changedAt, user.organizationId);
}

function assertOrganization({ state }: Provider, organizationId: string) {
  if (organizationId === '') throw invalid('invalid organization: value is required');
  if (state.organizations.some(({ id }) => id === organizationId)) return;
  throw new ProviderError('permission_denied', 'AUTH-Bs7Ds', "Organisation doesn't exist");
}

/** A person as searches and reads show them; false and empty fields are left out. */
export function userOnWire({ id, organizationId, username, state, changedAt, human }: User) {
  const common = {
    userId: id,
    details: details(changedAt, organizationId),
    state,
    username,
    loginNames: [username],
    preferredLoginName: username,
  };
  if (!human) return { ...common, machine: { name: username } };
  return {
    ...common,
    human: {
      profile: {
        givenName: human.givenName,
        familyName: human.familyName,
        displayName: `${human.givenName} ${human.familyName}`,
      },
      email: { email: human.email, ...(human.emailVerified && { isVerified: true }) },
      ...(human.changeRequired && { passwordChangeRequired: true }),
    },
  };
}
