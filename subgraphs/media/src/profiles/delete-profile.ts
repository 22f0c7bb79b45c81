import { permitOnPlatform } from '@foyer/shared/auth/permissions';

import type { Context } from '../context.ts';
import { changeProfiles, isInUse, lockProfile } from './change-profiles.ts';
import { defaultNeeded, profileInUse } from './refusals.ts';

type Needs = Pick<Context, 'viewer' | 'permissions' | 'db' | 'clock'>;

/**
 * Deletes a transcoding profile that nothing uses. A category keeps its default as long as it has any profile.
 *
 * @throws {Refusal} `FORBIDDEN`, `TRANSCODING_PROFILE_NOT_FOUND`, `TRANSCODING_PROFILE_IN_USE`, `DEFAULT_PROFILE_NEEDED`
 */
export async function deleteProfile(needs: Needs, given: string): Promise<string> {
  await permitOnPlatform(needs, 'org:manage');
  return changeProfiles(needs, async (tx) => {
    const { id, category, isDefault } = await lockProfile(tx, given);
    if (await isInUse(tx, id, needs.clock.now())) throw profileInUse();
    const others = await tx.transcodingProfile.count({ where: { category, id: { not: id } } });
    if (isDefault && others > 0) throw defaultNeeded();
    await tx.transcodingProfile.delete({ where: { id } });
    return String(id);
  });
}
