import type { Services } from '../context.ts';

const fullHd = { height: 1080, videoBitrateKbps: 5000, audioBitrateKbps: 160 };
const hd = { height: 720, videoBitrateKbps: 2800, audioBitrateKbps: 128 };
const sd = { height: 480, videoBitrateKbps: 1400, audioBitrateKbps: 128 };

const profiles = [
  { name: 'Standard (1080p, 720p, 480p)', isDefault: true, renditions: [fullHd, hd, sd] },
  { name: 'Compact (720p, 480p)', isDefault: false, renditions: [hd, sd] },
  { name: 'Passthrough', isDefault: false, renditions: [] },
];

/** Seeds the transcoding profiles of a new installation. Existing profiles stay unchanged. */
export async function seedProfiles({ db }: Pick<Services, 'db'>): Promise<void> {
  await db.$transaction(async (tx) => {
    if ((await tx.transcodingProfile.count()) > 0) return;
    for (const { renditions, ...profile } of profiles) {
      await tx.transcodingProfile.create({ data: { ...profile, renditions: { create: renditions } } });
    }
  });
}
