import { z } from 'zod';

import {
  MeDocument,
  MeIfSignedInDocument,
  PermissionCatalogDocument,
  type MePartsFragment,
} from '../generated/operations.ts';
import { route } from '../route.ts';
import { id, person } from '../tenancy.ts';

const me = ({ user, platformRole, organization }: MePartsFragment) => ({
  user: person(user),
  platform_role: platformRole,
  org: organization,
});

const claims = z.object({
  'x-user-id': id.optional(),
  'x-organization-id': id.optional(),
  'x-workspace-id': id.optional(),
});

/** What a client claims in its headers, as `/me` shows it. Nothing is looked up, because nothing is proven. */
const claimed = (said: z.output<typeof claims>) => ({
  user: { id: said['x-user-id'] ?? null, username: null, email: null, first_name: null, last_name: null },
  platform_role: null,
  org: {
    id: said['x-organization-id'] ?? null,
    name: null,
    slug: null,
    role: null,
    permissions: [],
    workspaces: said['x-workspace-id'] ? [{ id: said['x-workspace-id'], name: null, role: null, permissions: [] }] : [],
  },
});

/** Spec 1, "Core service: identity and tenancy routes". */
export const identity = [
  route('GET', '/api/v1/identity/users/me', {
    document: MeDocument,
    input: z.object({}),
    variables: () => ({}),
    reply: (data) => me(data.me),
  }),

  // The documents' flat routes need no token, and trust the headers.
  route('GET', '/api/v1/me', {
    token: 'needed when strict',
    document: MeIfSignedInDocument,
    input: z.object({ headers: claims }),
    variables: () => ({}),
    reply: ({ meIfSignedIn }, { headers }) => (meIfSignedIn ? me(meIfSignedIn) : claimed(headers)),
  }),

  route('GET', '/api/v1/tenancy/permissions/catalog', {
    token: 'needed when strict',
    document: PermissionCatalogDocument,
    input: z.object({}),
    variables: () => ({}),
    reply: ({ permissionCatalog: { platform, organization, workspace } }) => ({
      platform: platform.map(({ key }) => key),
      organization: organization.map(({ key }) => key),
      workspace: workspace.map(({ key }) => key),
    }),
  }),
];
