import { isUuid, newId, type GivenId, type Id } from '@foyer/shared/ids';
import { permitInOrganization } from '@foyer/shared/auth/permissions';
import { readInput } from '@foyer/shared/read-input';

import { auditChange } from '../audit/audit-change.ts';
import type { Context } from '../context.ts';
import {
  EmailProfileChanges,
  emailProfileAsSeen,
  EmailProfileInput,
  serverColumns,
  type SeenEmailProfile,
} from './email-profile.ts';
import { isUniqueViolation } from '@foyer/shared/database-errors';
import { emailProfileNameTaken, emailProfileNotFound } from './refusals.ts';

type Needs = Pick<Context, 'viewer' | 'permissions' | 'db' | 'sealer' | 'client' | 'requestId'>;

/** @throws {Refusal} `VALIDATION_FAILED`, `EMAIL_PROFILE_NAME_TAKEN` */
export async function createEmailProfile(needs: Needs, id: GivenId, input: unknown): Promise<SeenEmailProfile> {
  const { organizationId } = await permitInOrganization(needs, id, 'org:email-profiles:manage');
  const { server = null, replyTo = null, ...profile } = readInput(EmailProfileInput, input);
  const profileId = newId();
  const seal = (password: string) => needs.sealer.seal(password, profileId);
  const data = {
    id: profileId,
    organizationId,
    ...profile,
    replyTo,
    ...serverColumns(server, { id: profileId, seal }),
  };
  return nameOnce(() =>
    needs.db.$transaction(async (tx) => {
      const made = await tx.emailProfile.create({ data, include: { usages: true } });
      await auditChange(needs, tx, { organizationId, action: 'email-profile.created', target: target(profileId) });
      return emailProfileAsSeen(made);
    }),
  );
}

/** @throws {Refusal} `VALIDATION_FAILED`, `EMAIL_PROFILE_NOT_FOUND`, `EMAIL_PROFILE_NAME_TAKEN` */
export async function updateEmailProfile(
  needs: Needs,
  id: GivenId,
  profileId: Id,
  input: unknown,
): Promise<SeenEmailProfile> {
  const { organizationId } = await permitInOrganization(needs, id, 'org:email-profiles:manage');
  const { server, replyTo, ...texts } = readInput(EmailProfileChanges, input);
  const seal = (password: string) => needs.sealer.seal(password, profileId);
  const changed = Object.fromEntries(Object.entries(texts).filter(([, text]) => text));
  return nameOnce(() =>
    needs.db.$transaction(async (tx) => {
      const before = isUuid(profileId)
        ? await tx.emailProfile.findUnique({ where: { id: profileId, organizationId } })
        : null;
      if (!before) throw emailProfileNotFound();
      const data = {
        ...changed,
        ...(replyTo !== undefined && { replyTo }),
        ...(server !== undefined && serverColumns(server, { id: profileId, seal, before })),
      };
      const made = await tx.emailProfile.update({
        where: { id: profileId, organizationId },
        data,
        include: { usages: true },
      });
      await auditChange(needs, tx, { organizationId, action: 'email-profile.changed', target: target(profileId) });
      return emailProfileAsSeen(made);
    }),
  );
}

/** @throws {Refusal} `EMAIL_PROFILE_NOT_FOUND` */
export async function deleteEmailProfile(needs: Needs, id: GivenId, profileId: Id): Promise<string> {
  const { organizationId } = await permitInOrganization(needs, id, 'org:email-profiles:manage');
  if (!isUuid(profileId)) throw emailProfileNotFound();
  await needs.db.$transaction(async (tx) => {
    const { count } = await tx.emailProfile.deleteMany({ where: { id: profileId, organizationId } });
    if (count === 0) throw emailProfileNotFound();
    await auditChange(needs, tx, { organizationId, action: 'email-profile.deleted', target: target(profileId) });
  });
  return profileId;
}

const target = (id: Id) => ({ kind: 'email-profile', id });

/** The unique constraint decides, so that of two simultaneous changes one is refused. */
async function nameOnce<Result>(write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (isUniqueViolation(error)) throw emailProfileNameTaken();
    throw error;
  }
}
