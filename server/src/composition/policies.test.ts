import type { Permissions } from '@foyer/shared/auth/permissions';
import type { RequestScope } from '@foyer/shared/http/request';
import type { Staff, Viewer } from '@foyer/shared/auth/viewer';
import { newId } from '@foyer/shared/ids';
import { expect, it } from 'vitest';

import { permissionPolicies } from './policies.ts';

const organizationId = newId();
const staff: Staff = {
  kind: 'staff',
  userId: newId(),
  idpUserId: '1',
  organizationId,
  organizationSlug: 'acme',
  role: 'ORG_ADMIN',
  sessionId: newId(),
  tokenId: '1',
  issuedAt: 0,
  expiresAt: 0,
};

const permissions: Permissions = {
  onPlatform: async (viewer) => new Set(viewer.kind === 'staff' ? ['platform.audit.read'] : []),
  inOrganization: async (_viewer, asked) => new Set(asked === organizationId ? ['organization.update'] : []),
  inWorkspace: async () => null,
  workspacesWith: async () => [],
};
const evaluate = permissionPolicies(permissions);
const scopeOf = (viewer: Viewer | null): RequestScope => ({
  requestId: 'policies',
  viewer,
  client: { address: '', userAgent: '' },
  signal: new AbortController().signal,
  reply: { cookies: [] },
});

it('grants the policies that are permissions of the viewer', async () => {
  const asked = ['platform.audit.read', 'organization.update', 'organization.delete'];

  expect(await evaluate(asked, scopeOf(staff))).toEqual(new Set(['platform.audit.read', 'organization.update']));
  expect(await evaluate(['organization.update'], scopeOf(staff))).toEqual(new Set(['organization.update']));
});

it('grants nothing to callers without permissions', async () => {
  const customer: Viewer = { kind: 'customer', custId: '1', issuedAt: 0, expiresAt: 0 };

  expect(await evaluate(['organization.update'], scopeOf(null))).toEqual(new Set());
  expect(await evaluate(['organization.update'], scopeOf(customer))).toEqual(new Set());
});
