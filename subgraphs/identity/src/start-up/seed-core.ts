import { createHash } from 'node:crypto';

import type { IdentityTransaction } from '@foyer/prisma/identity';
import type { Id } from '@foyer/shared/ids';

import { seededRoles } from '../permissions/catalog.ts';
import { apps, organizations, team, workspaces } from './demo-data.ts';
import type { StartUpNeeds } from './needs.ts';

/** Long enough to seed in one transaction on a busy machine. */
const SEED_TIMEOUT_MS = 60_000;

const SEED = 'core';

/** A fingerprint of what the seed inserts. */
const roles = [...seededRoles.values()].map(({ permissions, ...role }) => ({ ...role, permissions: [...permissions] }));
const fingerprint = createHash('sha256')
  .update(JSON.stringify([roles, apps, organizations, workspaces, team]))
  .digest('hex');

/**
 * Step 6: seeds roles with their permissions, apps, demo organizations, workspaces and team. It only inserts: existing
 * rows stay. Skips while its fingerprint is unchanged.
 */
export async function seedCore({ db }: Pick<StartUpNeeds, 'db'>): Promise<void> {
  const done = await db.seedFingerprint.findUnique({ where: { seed: SEED } });
  if (done?.fingerprint === fingerprint) return;
  await db.$transaction(
    async (tx) => {
      await seedRoles(tx);
      await seedOrganizations(tx);
      await tx.seedFingerprint.upsert({
        where: { seed: SEED },
        create: { seed: SEED, fingerprint },
        update: { fingerprint, appliedAt: new Date() },
      });
    },
    { timeout: SEED_TIMEOUT_MS },
  );
}

async function seedRoles(tx: IdentityTransaction) {
  await tx.role.createMany({
    data: roles.map(({ id, scope, rank }) => ({ id, scope, rank, name: id, isSystem: true })),
    skipDuplicates: true,
  });
  await tx.rolePermission.createMany({
    data: roles.flatMap(({ id, permissions }) => permissions.map((permission) => ({ roleId: id, permission }))),
    skipDuplicates: true,
  });
}

async function seedOrganizations(tx: IdentityTransaction) {
  await tx.app.createMany({ data: [...apps], skipDuplicates: true });
  await tx.authOrganization.createMany({
    data: organizations.map((organization) => ({ ...organization, status: 'active' as const })),
    skipDuplicates: true,
  });
  // When another organization has the company code, its demo organization is left out in both stores.
  const ours = new Set<Id>(
    (await tx.authOrganization.findMany({ where: { id: { in: organizations.map(({ id }) => id) } } })).map(
      ({ id }) => id,
    ),
  );
  const inOurs = ({ organizationId }: { organizationId: Id }) => ours.has(organizationId);

  await tx.organization.createMany({
    data: organizations
      .filter(({ id }) => ours.has(id))
      .map(({ id, name }) => ({ id, name, status: 'active' as const })),
    skipDuplicates: true,
  });
  await tx.organizationApp.createMany({
    data: [...ours]
      .flatMap((organizationId) => apps.map(({ id }) => ({ organizationId, appId: id })))
      .filter(({ appId }) => appId !== 'platformconsole'),
    skipDuplicates: true,
  });
  await tx.workspace.createMany({ data: workspaces.filter(inOurs), skipDuplicates: true });
  if (!inOurs(team)) return;
  const { grants, ...record } = team;
  await tx.team.createMany({ data: record, skipDuplicates: true });
  await tx.teamWorkspaceRole.createMany({
    data: grants.map((grant) => ({ ...grant, teamId: team.id })),
    skipDuplicates: true,
  });
}
