import type { Organization } from '@foyer/prisma/client';
import type { IdentityTransaction } from '@foyer/prisma/identity';
import { companyCodeOf } from '@foyer/shared/company-code';
import { permitOnPlatform } from '@foyer/shared/auth/permissions';

import { assertApps } from '../apps/assert-apps.ts';
import { auditChange, type AuditNeeds } from '../audit/audit-change.ts';
import { createAtProvider } from '../at-provider/create-at-provider.ts';
import { wasRemoved } from '../at-provider/removals.ts';
import type { Context } from '../context.ts';
import type { CreateOrganizationInput, NewAdministratorInput } from '../generated/graphql.ts';
import { emailTaken, companyCodeTaken } from '../tenancy/refusals.ts';
import { issueLicense } from '../license/license.ts';
import { busy } from '../limits/refusals.ts';
import { notifyOfAdministrator } from '../staff-notifications/notify-staff.ts';
import { organizationByCode } from '../tenancy/organization-by-code.ts';
import { emailIsTaken } from '../tenancy/taken-names.ts';
import { setUpOrganization } from '../tenancy/set-up-organization.ts';
import type { CreatedOrganization } from './created-organization.ts';
import { assertCloud, assertOnPremises, type WantedOrganization } from './new-organization.ts';
import { slugOf } from '../tenancy/slug.ts';
import { licensingUnavailable } from './refusals.ts';

type Needs = AuditNeeds &
  Pick<Context, 'permissions' | 'db' | 'clock' | 'jobs' | 'log' | 'identityProvider' | 'licenseSigningKey'>;

/** Creates an organization: in the cloud with its administrator, on premises with its license. */
export async function createOrganization(needs: Needs, input: CreateOrganizationInput): Promise<CreatedOrganization> {
  await permitOnPlatform(needs, 'org:create');
  const companyCode = companyCodeOf(input.companyCode);
  const wanted = { ...input, name: input.name.trim(), companyCode, appIds: input.appIds ?? [] };
  return input.hostingType === 'ON_PREM' ? onPremises(needs, wanted) : inCloud(needs, wanted);
}

async function inCloud(needs: Needs, wanted: WantedOrganization): Promise<CreatedOrganization> {
  const { db, identityProvider } = needs;
  const admin = assertCloud(wanted);
  await assertApps(db, wanted.appIds);
  await assertFree(needs, wanted.companyCode);
  if (await emailIsTaken(needs, admin.email.trim())) throw emailTaken();

  const person = personAt(admin, wanted.name);
  return createAtProvider(needs, {
    kind: 'organization',
    create: (id) =>
      identityProvider.createOrganizationWithAdmin(wanted.name, { ...person, password: admin.password }, id),
    idOf: ({ organizationId }) => organizationId,
    record: ({ organizationId: idpOrgId, userId: idpUserId }) =>
      db.$transaction(async (tx): Promise<CreatedOrganization> => {
        if (await wasRemoved(tx, idpOrgId)) throw busy();
        const organization = await record(needs, tx, wanted, idpOrgId);
        const created = await setUpOrganization(tx, organization.id, { ...person, idpUserId });
        await notifyOfAdministrator(needs, tx, {
          userId: created.admin.id,
          organizationId: organization.id,
          roles: ['ORG_ADMIN'],
          what: 'was made an administrator',
        });
        return { organization, companyCode: wanted.companyCode, hostingType: 'CLOUD', ...created };
      }),
  });
}

async function onPremises(needs: Needs, wanted: WantedOrganization): Promise<CreatedOrganization> {
  const { db, clock, licenseSigningKey } = needs;
  const days = assertOnPremises(wanted);
  if (!licenseSigningKey) throw licensingUnavailable();
  await assertApps(db, wanted.appIds);
  await assertFree(needs, wanted.companyCode);

  const { companyCode } = wanted;
  const expiresAt = new Date(clock.now().getTime() + days * 86_400_000);
  const licenseKey = await issueLicense(
    licenseSigningKey,
    { companyCode, hostingType: 'on_prem', expiresAt },
    clock.now(),
  );
  return db.$transaction(async (tx) => {
    const organization = await record(needs, tx, wanted, null);
    await tx.license.create({ data: { organizationId: organization.id, companyCode, licenseKey, expiresAt } });
    return { organization, companyCode, hostingType: 'ON_PREM', licenseKey };
  });
}

/** Checked before anything is created; the unique constraint decides a race. */
async function assertFree({ db }: Needs, companyCode: string) {
  if (await organizationByCode(db, companyCode)) throw companyCodeTaken();
}

async function record(
  needs: Needs,
  tx: IdentityTransaction,
  { name, companyCode, legalName, website, timezone, appIds, hostingType }: WantedOrganization,
  idpOrgId: string | null,
): Promise<Organization> {
  const [account] = await tx.authOrganization.createManyAndReturn({
    data: {
      name,
      slug: slugOf(name),
      companyCode,
      idpOrgId,
      status: 'active',
      hostingType: hostingType === 'ON_PREM' ? 'on_prem' : 'cloud',
    },
    skipDuplicates: true,
  });
  if (!account) throw companyCodeTaken();
  const facts = { legalName: legalName ?? null, website: website ?? null, ...(timezone && { timezone }) };
  const organization = await tx.organization.create({ data: { id: account.id, name, ...facts } });
  await tx.organizationApp.createMany({
    data: [...new Set(appIds)].map((appId) => ({ organizationId: account.id, appId })),
  });
  await auditChange(needs, tx, {
    organizationId: account.id,
    action: 'organization.created',
    target: { kind: 'organization', id: account.id },
    details: { name, companyCode, hostingType: hostingType ?? 'CLOUD' },
  });
  return organization;
}

const personAt = (admin: NewAdministratorInput, organization: string) => ({
  username: admin.username.trim(),
  email: admin.email.trim(),
  givenName: admin.givenName?.trim() || admin.username.trim(),
  familyName: admin.familyName?.trim() || organization,
});
