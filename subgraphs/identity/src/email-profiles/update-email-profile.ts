import { isUuid, type GivenId, type Id } from '@foyer/shared/ids';
import { permitInOrganization } from '@foyer/shared/auth/permissions';
import { readInput } from '@foyer/shared/read-input';

import { auditChange } from '../audit/audit-change.ts';
import type { Context } from '../context.ts';
import { EmailProfileChanges, emailProfileAsSeen, serverColumns, type SeenEmailProfile } from './email-profile.ts';
import { emailProfileNotFound } from './refusals.ts';
import { refuseTakenName } from './refuse-taken-name.ts';

type Needs = Pick<Context, 'viewer' | 'permissions' | 'db' | 'sealer' | 'client' | 'requestId'>;

/**
 * Changes an e-mail profile.
 *
 * @throws {Refusal} `VALIDATION_FAILED`, `EMAIL_PROFILE_NOT_FOUND`, `EMAIL_PROFILE_NAME_TAKEN`
 */
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
  return refuseTakenName(() =>
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
      await auditChange(needs, tx, {
        organizationId,
        action: 'email-profile.changed',
        target: { kind: 'email-profile', id: profileId },
      });
      return emailProfileAsSeen(made);
    }),
  );
}
