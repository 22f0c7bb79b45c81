import { newId, type GivenId } from '@foyer/shared/ids';
import { permitInOrganization } from '@foyer/shared/auth/permissions';
import { readInput } from '@foyer/shared/read-input';

import { auditChange } from '../audit/audit-change.ts';
import type { Context } from '../context.ts';
import { emailProfileAsSeen, EmailProfileInput, serverColumns, type SeenEmailProfile } from './email-profile.ts';
import { refuseTakenName } from './refuse-taken-name.ts';

type Needs = Pick<Context, 'viewer' | 'permissions' | 'db' | 'sealer' | 'client' | 'requestId'>;

/**
 * Creates an e-mail profile.
 *
 * @throws {Refusal} `VALIDATION_FAILED`, `EMAIL_PROFILE_NAME_TAKEN`
 */
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
  return refuseTakenName(() =>
    needs.db.$transaction(async (tx) => {
      const made = await tx.emailProfile.create({ data, include: { usages: true } });
      await auditChange(needs, tx, {
        organizationId,
        action: 'email-profile.created',
        target: { kind: 'email-profile', id: profileId },
      });
      return emailProfileAsSeen(made);
    }),
  );
}
