import { z } from 'zod';

import { invalid, nameTaken, ProviderError } from './errors.ts';
import { details, matches, SearchMethod, totals, visible, type Provider } from './provider.ts';
import { newId, type Organization } from './state.ts';
import { addHuman, Human } from './users.ts';

const Add = z.object({
  name: z.string().min(1).max(200),
  organizationId: z.string().optional(),
  orgId: z.string().optional(),
  admins: z
    .array(
      z.object({ userId: z.string().optional(), human: Human.extend({ username: z.string().optional() }).optional() }),
    )
    .default([]),
});

/** Creates the organization and its administrators, all or nothing. */
export async function addOrganization(provider: Provider, body: unknown) {
  const wanted = Add.parse(body);
  const { state, now } = provider;
  assertNameFree(provider, wanted.name);
  const organization = {
    id: wanted.organizationId ?? wanted.orgId ?? newId(),
    name: wanted.name,
    createdAt: now().toISOString(),
  };

  const createdAdmins: { userId: string }[] = [];
  try {
    for (const { human, userId } of wanted.admins) {
      if (!human)
        throw userId
          ? invalid('existing administrators are not offered here')
          : invalid('invalid AddOrganizationRequest.Admin: value is required');
      const admin = await addHuman(provider, organization.id, human.username ?? human.email.email, human);
      createdAdmins.push({ userId: admin.id });
    }
    assertNameFree(provider, wanted.name); // somebody else may have taken it while we hashed
  } catch (error) {
    state.users = state.users.filter(({ id }) => !createdAdmins.some(({ userId }) => userId === id));
    throw error;
  }
  state.organizations.push(organization);
  provider.touched(organization.id);
  await state.save();
  return {
    details: details(organization.createdAt, organization.id),
    organizationId: organization.id,
    ...(createdAdmins.length > 0 && { createdAdmins }),
  };
}

function assertNameFree({ state }: Provider, wanted: string): void {
  const isTaken = state.organizations.some(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  if (isTaken) throw nameTaken('Organisation');
}

const Queries = z.array(
  z.object({
    nameQuery: z.object({ name: z.string(), method: SearchMethod }).optional(),
    idQuery: z.object({ id: z.string() }).optional(),
    defaultQuery: z.object({}).optional(),
  }),
);

const List = z.object({ queries: Queries.default([]) });

export function listOrganizations(provider: Provider, body: unknown) {
  const { queries } = List.parse(body);
  const [first] = provider.state.organizations;
  const found = visible(provider, provider.state.organizations).filter((organization) =>
    queries.every(
      ({ nameQuery, idQuery, defaultQuery }) =>
        (!nameQuery || matches(organization.name, nameQuery.name, nameQuery.method)) &&
        (!idQuery || organization.id === idQuery.id) &&
        (!defaultQuery || organization === first),
    ),
  );
  return {
    details: totals(provider, found.length),
    ...(found.length > 0 && { result: found.map(organizationOnWire) }),
  };
}

const Delete = z.object({ organizationId: z.string().min(1) });

/** Deletes the organization with everybody in it. */
export async function deleteOrganization({ state, now }: Provider, body: unknown) {
  const { organizationId } = Delete.parse(body);
  const [first] = state.organizations;
  if (first?.id === organizationId)
    throw new ProviderError('failed_precondition', 'COMMA-wG9p1', 'Default organization must not be deleted');
  if (!state.organizations.some(({ id }) => id === organizationId)) {
    throw new ProviderError('not_found', 'COMMA-aps2n', 'Organisation not found');
  }
  state.organizations = state.organizations.filter(({ id }) => id !== organizationId);
  state.users = state.users.filter((user) => user.organizationId !== organizationId);
  await state.save();
  return { deletionDate: now().toISOString() };
}

const organizationOnWire = (organization: Organization) => ({
  id: organization.id,
  details: details(organization.createdAt, organization.id),
  state: 'ORGANIZATION_STATE_ACTIVE',
  name: organization.name,
  primaryDomain: `${organization.name.toLowerCase().replaceAll(/[^a-z\d]+/g, '-')}.localhost`,
});
