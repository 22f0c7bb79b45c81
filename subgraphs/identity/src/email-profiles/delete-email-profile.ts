import { isUuid, type GivenId, type Id } from '@foyer/shared/ids';
import { permitInOrganization } from '@foyer/shared/auth/permissions';

import { auditChange } from '../audit/audit-change.ts';
import type { Context } from '../context.ts';
import { emailProfileNotFound } from './refusals.ts';

type Needs = Pick<Context, 'viewer' | 'permissions' | 'db' | 'client' | 'requestId'>;

/**
 * Deletes an e-mail profile, with the usages that were mapped to it.
 *
 * @throws {Refusal} `EMAIL_PROFILE_NOT_FOUND`
 */
export async function deleteEmailProfile(needs: Needs, id: GivenId, profileId: Id): Promise<string> {
  const { organizationId } = await permitInOrganization(needs, id, 'org:email-profiles:manage');
  if (!isUuid(profileId)) throw emailProfileNotFound();
  await needs.db.$transaction(async (tx) => {
    const { count } = await tx.emailProfile.deleteMany({ where: { id: profileId, organizationId } });
    if (count === 0) throw emailProfileNotFound();
    await auditChange(needs, tx, {
      organizationId,
      action: 'email-profile.deleted',
      target: { kind: 'email-profile', id: profileId },
    });
  });
  return profileId;
}
