import type { Viewer } from '@foyer/shared/auth/viewer';

import type { Services } from '../context.ts';
import type { MediaPermit } from '../media/permit-media.ts';
import { tenantTaken } from './refusals.ts';

type Needs = Pick<Services, 'db'> & { viewer: Viewer | null };

/**
 * Gives a tenant to the organization that uses it first; of two at once, one gets it. A legacy client without a token
 * proves no organization: it takes none, and uploads as the document has it. So through an open route nobody is refused.
 *
 * @throws {Refusal} `TENANT_TAKEN`
 */
export async function claimTenant({ db, viewer }: Needs, name: string, { organizationId }: MediaPermit): Promise<void> {
  if (viewer?.kind !== 'staff' || organizationId === null) return;
  await db.mediaTenant.createMany({ data: [{ name, organizationId }], skipDuplicates: true });
  const tenant = await db.mediaTenant.findUniqueOrThrow({ where: { name } });
  if (tenant.organizationId !== organizationId && !viewer.opening) throw tenantTaken();
}
