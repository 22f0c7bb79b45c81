import type { Rendition, TranscodingProfile } from '@foyer/prisma/client';
import { unauthenticated } from '@foyer/shared/auth/viewer';

import type { Context } from '../context.ts';

/** A transcoding profile, its renditions highest first. */
export type Profile = Omit<TranscodingProfile, 'id'> & { id: string; renditions: Rendition[] };

export const withRenditions = { renditions: { orderBy: { height: 'desc' as const } } };

/** Lists the transcoding profiles, for everyone who is signed in. */
export async function listProfiles(
  { viewer, db }: Pick<Context, 'viewer' | 'db'>,
  category: string | null | undefined,
): Promise<Profile[]> {
  if (!viewer) throw unauthenticated();
  const profiles = await db.transcodingProfile.findMany({
    where: category ? { category } : {},
    include: withRenditions,
    orderBy: [{ isDefault: 'desc' }, { id: 'asc' }],
  });
  return profiles.map(present);
}

export async function findProfile({ db }: Pick<Context, 'db'>, id: number): Promise<Profile | null> {
  const profile = await db.transcodingProfile.findUnique({
    where: { id },
    include: withRenditions,
  });
  return profile && present(profile);
}

export const present = (profile: TranscodingProfile & { renditions: Rendition[] }): Profile => ({
  ...profile,
  id: String(profile.id),
});
