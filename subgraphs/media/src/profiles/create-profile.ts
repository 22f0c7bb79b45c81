import { permitOnPlatform } from '@foyer/shared/auth/permissions';

import type { Context } from '../context.ts';
import type { CreateTranscodingProfileInput } from '../generated/graphql.ts';
import { changeProfiles, dropDefault, rungsOf } from './change-profiles.ts';
import { present, withRenditions, type Profile } from './list-profiles.ts';
import { checkProfile } from './profile.ts';

type Needs = Pick<Context, 'viewer' | 'permissions' | 'db'>;

/**
 * Creates a transcoding profile. All organizations share the profiles, so this is for those who run the platform.
 *
 * @throws {Refusal} `FORBIDDEN`, `VALIDATION_FAILED`, `TRANSCODING_PROFILE_EXISTS`
 */
export async function createProfile(needs: Needs, input: CreateTranscodingProfileInput): Promise<Profile> {
  await permitOnPlatform(needs, 'org:manage');
  const { name, category, renditions } = checkProfile({ ...input, category: input.category ?? 'video' });
  return changeProfiles(needs, async (tx) => {
    const isFirst = (await tx.transcodingProfile.count({ where: { category } })) === 0;
    const isDefault = input.isDefault === true || isFirst;
    if (isDefault) await dropDefault(tx, category);
    const data = { name, category, isDefault, renditions: { create: rungsOf(renditions) } };
    return present(await tx.transcodingProfile.create({ data, include: withRenditions }));
  });
}
