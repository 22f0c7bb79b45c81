import { companyCodeOf } from '@foyer/shared/company-code';

import { PLATFORM_ORGANIZATION_ID } from '../tenancy/platform-organization.ts';
import type { StartUpNeeds } from './needs.ts';

/** Step 2: records the platform organization. Skips when it exists. */
export async function bootstrapPlatform({ db, config }: Pick<StartUpNeeds, 'db' | 'config'>): Promise<void> {
  const { name, companyCode } = config.platform;
  const id = PLATFORM_ORGANIZATION_ID;
  await db.authOrganization.createMany({
    data: { id, name, slug: 'platform', companyCode: companyCodeOf(companyCode), status: 'active' },
    skipDuplicates: true,
  });
  await db.organization.createMany({ data: { id, name, status: 'active' }, skipDuplicates: true });
}
