import { z } from 'zod';

import { MeDocument, PermissionCatalogDocument } from '../generated/operations.ts';
import { route } from '../route.ts';

/** Spec 1, "Core service: identity and tenancy routes". */
export const identity = [
  route('GET', '/api/v1/identity/users/me', {
    document: MeDocument,
    input: z.object({}),
    variables: () => ({}),
    reply: ({ me: { user, platformRole, organization } }) => ({
      user: {
        id: user.id,
        username: user.username,
        email: user.email,
        first_name: user.firstName,
        last_name: user.lastName,
      },
      platform_role: platformRole,
      org: organization,
    }),
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
