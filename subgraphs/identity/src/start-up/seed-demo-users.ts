import { demo } from '@foyer/shared/demo';
import type { Id } from '@foyer/shared/ids';

import { accounts, team, type DemoAccount } from './demo-data.ts';
import { recordMember } from './record-member.ts';
import type { StartUpNeeds } from './needs.ts';

const SEED = 'demo-users';

/**
 * Seeds the demo accounts of Acme: at the identity provider over its wire, then here. Skips existing ones. The
 * platform's administrator is created with the provider.
 */
export async function seedDemoUsers(needs: StartUpNeeds, password: string): Promise<void> {
  const { db, identityProvider } = needs;
  const acme = await db.authOrganization.findUnique({ where: { id: demo.acme.organizationId } });
  if (!acme || (await db.seedFingerprint.findUnique({ where: { seed: SEED } }))) return;

  const idpOrgId = acme.idpOrgId ?? (await organizationAtProvider(needs, acme.name));
  await db.authOrganization.update({ where: { id: acme.id }, data: { idpOrgId } });
  for (const account of accounts) {
    const { email, givenName, familyName } = account;
    const [known] = await identityProvider.findUsers(email);
    const created = { organizationId: idpOrgId, username: email, email, givenName, familyName };
    const id = known?.id ?? (await identityProvider.createUser({ ...created, password }));
    const person = known ?? { ...created, id, loginName: email, passwordChangeRequired: false };
    await enrol(needs, account, (await recordMember(needs, acme.id, person)).id);
  }
  await db.seedFingerprint.createMany({ data: { seed: SEED, fingerprint: 'done' }, skipDuplicates: true });
}

async function organizationAtProvider({ identityProvider }: StartUpNeeds, name: string): Promise<string> {
  return (await identityProvider.findOrganization({ name }))?.id ?? identityProvider.createOrganization(name);
}

async function enrol({ db }: StartUpNeeds, { organizationRole, workspaces, inTeam }: DemoAccount, userId: Id) {
  await db.$transaction(async (tx) => {
    await tx.organizationMember.createMany({
      data: { organizationId: demo.acme.organizationId, userId, role: organizationRole, roleId: organizationRole },
      skipDuplicates: true,
    });
    await tx.workspaceMember.createMany({
      data: workspaces.map((access) => ({ ...access, userId })),
      skipDuplicates: true,
    });
    if (inTeam) await tx.teamMember.createMany({ data: { teamId: team.id, userId }, skipDuplicates: true });
  });
}
