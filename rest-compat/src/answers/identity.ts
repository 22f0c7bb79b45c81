import { z } from 'zod';

import type { MePartsFragment, PermissionCatalogQuery } from '../generated/operations.ts';
import { Person, person } from './people.ts';

/** An organization or a workspace, with what the person may do there. */
const membership = { id: z.string(), name: z.string(), role: z.string(), permissions: z.array(z.string()) };

export const Me = z
  .object({
    user: Person,
    platform_role: z.string().nullable(),
    org: z.object({ ...membership, slug: z.string(), workspaces: z.array(z.object(membership)) }),
  })
  .meta({ id: 'Me' });

export const me = ({ user, platformRole, organization }: MePartsFragment): z.input<typeof Me> => ({
  user: person(user),
  platform_role: platformRole,
  org: organization,
});

/** The ids that a client without a token claims in its headers, in the shape of `Me`. */
export const ClaimedMe = z
  .object({
    user: z.object({
      id: z.string().nullable(),
      username: z.null(),
      email: z.null(),
      first_name: z.null(),
      last_name: z.null(),
    }),
    platform_role: z.null(),
    org: z.object({
      id: z.string().nullable(),
      name: z.null(),
      slug: z.null(),
      role: z.null(),
      permissions: z.array(z.never()),
      workspaces: z.array(
        z.object({ id: z.string(), name: z.null(), role: z.null(), permissions: z.array(z.never()) }),
      ),
    }),
  })
  .meta({ id: 'ClaimedMe' });

interface Claims {
  'x-user-id'?: string | undefined;
  'x-organization-id'?: string | undefined;
  'x-workspace-id'?: string | undefined;
}

/** Nothing is looked up, because nothing is proven. */
export const claimedMe = (claims: Claims): z.input<typeof ClaimedMe> => ({
  user: { id: claims['x-user-id'] ?? null, username: null, email: null, first_name: null, last_name: null },
  platform_role: null,
  org: {
    id: claims['x-organization-id'] ?? null,
    name: null,
    slug: null,
    role: null,
    permissions: [],
    workspaces: claims['x-workspace-id']
      ? [{ id: claims['x-workspace-id'], name: null, role: null, permissions: [] }]
      : [],
  },
});

/** The keys of all permissions, by where they are held. */
export const PermissionCatalog = z
  .object({
    platform: z.array(z.string()),
    organization: z.array(z.string()),
    workspace: z.array(z.string()),
  })
  .meta({ id: 'PermissionCatalog' });

type Catalog = NonNullable<PermissionCatalogQuery['permissionCatalog']>;

export const permissionCatalog = (catalog: Catalog): z.input<typeof PermissionCatalog> => ({
  platform: catalog.platform.map(({ key }) => key),
  organization: catalog.organization.map(({ key }) => key),
  workspace: catalog.workspace.map(({ key }) => key),
});
