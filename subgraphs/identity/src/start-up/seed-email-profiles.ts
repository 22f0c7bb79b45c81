import { readAddress } from '../email-profiles/address.ts';
import { organizations } from './demo-data.ts';
import type { StartUpNeeds } from './needs.ts';
import { PLATFORM_ORGANIZATION_ID } from '../tenancy/platform-organization.ts';

const SEED = 'email-profiles';
const NAME = 'House';

/**
 * Seeds an e-mail profile for the platform and each demo organization, mapped to both usages, over Foyer's own mail
 * server, so that invitations work from the start. It only inserts. Skips when it was done.
 */
export async function seedEmailProfiles({ db, config }: Pick<StartUpNeeds, 'db' | 'config'>): Promise<void> {
  if (await db.seedFingerprint.findUnique({ where: { seed: SEED } })) return;
  const wanted = [PLATFORM_ORGANIZATION_ID, ...organizations.map(({ id }) => id)];
  await db.$transaction(async (tx) => {
    const found = await tx.organization.findMany({ where: { id: { in: wanted } } });
    const { name, address: fromAddress } = readAddress(config.settings.mailFrom);
    const sender = { fromName: name || 'Foyer', fromAddress };
    await tx.emailProfile.createMany({
      data: found.map(({ id }) => ({ organizationId: id, name: NAME, ...sender })),
      skipDuplicates: true,
    });
    const profiles = await tx.emailProfile.findMany({ where: { name: NAME, organizationId: { in: wanted } } });
    await tx.emailUsageMapping.createMany({
      data: profiles.flatMap(({ id: profileId, organizationId }) =>
        (['user_invite', 'password_reset'] as const).map((usage) => ({ organizationId, usage, profileId })),
      ),
      skipDuplicates: true,
    });
    await tx.seedFingerprint.createMany({ data: { seed: SEED, fingerprint: 'done' }, skipDuplicates: true });
  });
}
