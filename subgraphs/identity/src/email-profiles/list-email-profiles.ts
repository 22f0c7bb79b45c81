import type { GivenId } from '@foyer/shared/ids';
import { permitInOrganization } from '@foyer/shared/auth/permissions';

import type { Context } from '../context.ts';
import { emailProfileAsSeen, type SeenEmailProfile } from './email-profile.ts';

type Needs = Pick<Context, 'viewer' | 'permissions' | 'db'>;

/** The profiles of an organization, by name. */
export async function listEmailProfiles(needs: Needs, id: GivenId): Promise<SeenEmailProfile[]> {
  const { organizationId } = await permitInOrganization(needs, id, 'org:email-profiles:view');
  const profiles = await needs.db.emailProfile.findMany({
    where: { organizationId },
    include: { usages: true },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
  });
  return profiles.map(emailProfileAsSeen);
}
