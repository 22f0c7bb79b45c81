import type { DeletedTenancy } from '@foyer/shared/jobs/deleted-tenancy';
import type { Viewer } from '@foyer/shared/auth/viewer';

import type { Services } from '../context.ts';
import type { MediaPermit } from '../media/permit-media.ts';
import { tenantTaken } from './refusals.ts';

type Needs = Pick<Services, 'db'> & { viewer: Viewer | null };

/**
 * Assigns a tenant to the organization that uses it first; of two concurrent claims, one succeeds. A legacy client without
 * a token proves no organization: it claims no tenant, and uploads as documented. So an open route refuses nobody.
 *
 * @throws {Refusal} `TENANT_TAKEN`
 */
export async function claimTenant({ db, viewer }: Needs, name: string, { organizationId }: MediaPermit): Promise<void> {
  if (viewer?.kind !== 'staff' || organizationId === null) return;
  await db.mediaTenant.createMany({ data: [{ name, organizationId }], skipDuplicates: true });
  const tenant = await db.mediaTenant.findUniqueOrThrow({ where: { name } });
  if (tenant.organizationId !== organizationId && !viewer.opening) throw tenantTaken();
}

/** Leaves the tenants of a deleted organization to the next that uses them, such as the same company that is created anew. */
export async function releaseTenants({ db }: Pick<Needs, 'db'>, { organizationId }: DeletedTenancy): Promise<void> {
  if (organizationId) await db.mediaTenant.deleteMany({ where: { organizationId } });
}
