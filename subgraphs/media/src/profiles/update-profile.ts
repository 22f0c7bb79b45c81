import { permitOnPlatform } from '@foyer/shared/auth/permissions';

import type { Context } from '../context.ts';
import type { UpdateTranscodingProfileInput } from '../generated/graphql.ts';
import { changeProfiles, dropDefault, isInUse, lockProfile, rungsOf } from './change-profiles.ts';
import { present, withRenditions, type Profile } from './list-profiles.ts';
import { checkProfile } from './profile.ts';
import { defaultNeeded, profileInUse } from './refusals.ts';

type Needs = Pick<Context, 'viewer' | 'permissions' | 'db' | 'clock'>;

/**
 * Changes a transcoding profile, for what is processed from then on.
 *
 * @throws {Refusal} `FORBIDDEN`, `VALIDATION_FAILED`, `TRANSCODING_PROFILE_NOT_FOUND`, `TRANSCODING_PROFILE_EXISTS`,
 *   `TRANSCODING_PROFILE_IN_USE` for a ladder that would become passthrough, or the reverse; `DEFAULT_PROFILE_NEEDED`
 */
export async function updateProfile(needs: Needs, input: UpdateTranscodingProfileInput): Promise<Profile> {
  await permitOnPlatform(needs, 'org:manage');
  return changeProfiles(needs, async (tx) => {
    const { id, category, isDefault, renditions: before } = await lockProfile(tx, input.id);
    const { name, renditions } = checkProfile({
      ...(input.name != null && { name: input.name }),
      ...(input.renditions != null && { category, renditions: input.renditions }),
    });
    const changesKind = renditions !== undefined && (renditions.length === 0) !== (before.length === 0);
    if (changesKind && (await isInUse(tx, id, needs.clock.now()))) throw profileInUse();
    if (input.isDefault === false && isDefault) throw defaultNeeded();
    if (input.isDefault === true && !isDefault) await dropDefault(tx, category);
    if (renditions) await tx.rendition.deleteMany({ where: { profileId: id } });
    const data = {
      ...(name !== undefined && { name }),
      ...(input.isDefault === true && { isDefault: true }),
      ...(renditions && { renditions: { create: rungsOf(renditions) } }),
    };
    return present(await tx.transcodingProfile.update({ where: { id }, data, include: withRenditions }));
  });
}
