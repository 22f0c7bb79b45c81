import { companyCodeOf } from '@foyer/shared/company-code';

import { PLATFORM_ORGANIZATION_ID } from '../tenancy/platform-organization.ts';
import { recordMember } from './record-member.ts';
import type { StartUpNeeds } from './needs.ts';

/**
 * Step 3: links the platform organization and its administrator to their counterparts at the identity provider. Skips
 * when the platform organization has any user. Login checks whether the administrator is a member of that organization.
 */
export async function linkPlatform(needs: StartUpNeeds): Promise<void> {
  const { db, log, identityProvider, config } = needs;
  const { idpOrgName, adminLoginName, companyCode } = config.platform;
  if ((await db.authUser.count({ where: { orgId: PLATFORM_ORGANIZATION_ID } })) > 0) return;

  const organization = await identityProvider.findOrganization({ name: idpOrgName });
  const [administrator] = await identityProvider.findUsers(adminLoginName);
  if (!organization || !administrator) {
    const missing = organization ? 'administrator' : 'organization';
    log.warn({ missing }, 'the identity provider has no platform organization or administrator yet: nobody can log in');
    return;
  }
  await db.authOrganization.update({
    where: { id: PLATFORM_ORGANIZATION_ID },
    data: { idpOrgId: organization.id, companyCode: companyCodeOf(companyCode) },
  });
  await recordMember(needs, PLATFORM_ORGANIZATION_ID, administrator);
}
