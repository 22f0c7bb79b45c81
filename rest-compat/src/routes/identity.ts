import { z } from 'zod';

import { answered } from '../answered.ts';
import { ClaimedMe, claimedMe, Me, me, PermissionCatalog, permissionCatalog } from '../answers/identity.ts';
import { MeDocument, MeIfSignedInDocument, PermissionCatalogDocument } from '../generated/operations.ts';
import { route } from '../route.ts';
import { id } from '../tenancy.ts';

const claims = z.object({
  'x-user-id': id.optional(),
  'x-organization-id': id.optional(),
  'x-workspace-id': id.optional(),
});

/** Spec 1, "Core service: identity and tenancy routes". */
export const identity = [
  route('GET', '/api/v1/identity/users/me', {
    document: MeDocument,
    input: z.object({}),
    variables: () => ({}),
    answer: Me,
    reply: (data) => me(answered(data.me)),
  }),

  // The documents' flat routes need no token, and trust the headers. A token wins over them: a mismatch is 403.
  route('GET', '/api/v1/me', {
    token: 'needed when strict',
    document: MeIfSignedInDocument,
    input: z.object({ headers: claims }),
    variables: ({ headers }) => ({
      userId: headers['x-user-id'] ?? null,
      organizationId: headers['x-organization-id'] ?? null,
      workspaceId: headers['x-workspace-id'] ?? null,
    }),
    answer: z.union([Me, ClaimedMe]),
    reply: ({ meIfSignedIn }, { headers }) => (meIfSignedIn ? me(meIfSignedIn) : claimedMe(headers)),
  }),

  route('GET', '/api/v1/tenancy/permissions/catalog', {
    token: 'needed when strict',
    document: PermissionCatalogDocument,
    input: z.object({}),
    variables: () => ({}),
    answer: PermissionCatalog,
    reply: (data) => permissionCatalog(answered(data.permissionCatalog)),
  }),
];
