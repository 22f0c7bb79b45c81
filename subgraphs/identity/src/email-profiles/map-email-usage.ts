import { isUuid, type GivenId, type Id } from '@foyer/shared/ids';
import { permitInOrganization } from '@foyer/shared/auth/permissions';

import { auditChange } from '../audit/audit-change.ts';
import type { Context } from '../context.ts';
import { usageOf, type SeenEmailProfile } from './email-profile.ts';
import { listEmailProfiles } from './list-email-profiles.ts';
import { emailProfileNotFound } from './refusals.ts';

type Needs = Pick<Context, 'viewer' | 'permissions' | 'db' | 'client' | 'requestId'>;

/**
 * Sets the profile for the e-mails of one usage; null: none.
 *
 * @throws {Refusal} `EMAIL_PROFILE_NOT_FOUND`, also for the profile of another organization
 */
export async function mapEmailUsage(
  needs: Needs,
  id: GivenId,
  usageName: keyof typeof usageOf,
  profileId: Id | null,
): Promise<SeenEmailProfile[]> {
  const { organizationId } = await permitInOrganization(needs, id, 'org:email-profiles:manage');
  const usage = usageOf[usageName];
  await needs.db.$transaction(async (tx) => {
    if (profileId === null) await tx.emailUsageMapping.deleteMany({ where: { organizationId, usage } });
    else {
      if (!isUuid(profileId)) throw emailProfileNotFound();
      // Locked, so that nobody deletes it meanwhile.
      const [held] = await tx.$queryRaw<unknown[]>`
        SELECT 1 FROM tenancy.email_profiles
        WHERE id = ${profileId}::uuid AND organization_id = ${organizationId}::uuid FOR KEY SHARE`;
      if (!held) throw emailProfileNotFound();
      await tx.emailUsageMapping.upsert({
        where: { organizationId_usage: { organizationId, usage } },
        create: { organizationId, usage, profileId },
        update: { profileId },
      });
    }
    const target = { kind: 'email-usage', id: usage };
    await auditChange(needs, tx, { organizationId, action: 'email-usage.mapped', target, details: { profileId } });
  });
  return listEmailProfiles(needs, organizationId);
}
