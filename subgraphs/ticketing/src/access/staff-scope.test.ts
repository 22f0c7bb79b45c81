import { readId, type Id } from '@foyer/shared/ids';
import type { Permissions } from '@foyer/shared/auth/permissions';
import type { Viewer } from '@foyer/shared/auth/viewer';
import { describe, expect, it } from 'vitest';

import { holdsPermissionOver, visibleTo } from './staff-scope.ts';

const ours = readId('0a0c0000-0000-4000-8000-000000000001');
const theirs = readId('0b0c0000-0000-4000-8000-000000000001');
const hall = readId('0a0c0000-0000-4000-8000-000000000101');
const studio = readId('0a0c0000-0000-4000-8000-000000000102');
const permission = 'campaign:manage';

/** Staff of our organization who hold the permission in the hall, and nowhere else. */
const permissions = (inOrganization: string[] = []): Permissions => ({
  onPlatform: async () => new Set(),
  inOrganization: async (_viewer, id) => new Set(id === ours ? inOrganization : []),
  inWorkspace: async (_viewer, id) => ({ organizationId: ours, permissions: new Set(id === hall ? [permission] : []) }),
  workspacesWith: async (_viewer, id) => (id === ours ? [hall] : []),
});
const staff = { kind: 'staff', organizationId: ours } as Viewer;
const customer: Viewer = { kind: 'customer', custId: hall, issuedAt: 0, expiresAt: 0 };
const legacyUser: Viewer = { kind: 'legacy-user', subject: 's', role: 'MEMBER', expiresAt: 0 };
const legacyClient: Viewer = { kind: 'legacy-client', organizationId: ours, permissions: [permission] };

const may = (viewer: Viewer | null, organizationId: Id | null, workspaceId: Id | null, inOrganization?: string[]) =>
  holdsPermissionOver({ viewer, permissions: permissions(inOrganization) }, permission, {
    organizationId,
    workspaceId,
  });

describe('staff', () => {
  it('may change the rows of a workspace where they hold the permission', async () => {
    expect(await may(staff, ours, hall)).toBe(true);
    expect(await may(staff, ours, studio)).toBe(false);
  });

  it('may not change a row that names their workspace and another organization', async () => {
    expect(await may(staff, theirs, hall)).toBe(false);
  });

  it('may change a row of the whole organization only when they manage all its workspaces', async () => {
    expect(await may(staff, ours, null)).toBe(false);
    expect(await may(staff, ours, null, ['org:workspaces:manage'])).toBe(true);
    expect(await may(staff, theirs, null, ['org:workspaces:manage'])).toBe(false);
  });

  it('may not change a row without an owner', async () => {
    expect(await may(staff, null, null)).toBe(false);
  });

  it('see the rows of their workspaces and of the whole organization', async () => {
    expect(await visibleTo({ viewer: staff, permissions: permissions() }, permission)).toEqual({
      organizationId: ours,
      OR: [{ workspaceId: null }, { workspaceId: { in: [hall] } }],
    });
  });

  it('see nothing of another organization', async () => {
    await expect(visibleTo({ viewer: staff, permissions: permissions() }, permission, theirs)).rejects.toMatchObject({
      reason: 'FORBIDDEN',
    });
  });
});

describe('bearers of legacy tokens', () => {
  it('hold no permission: their tokens name no organization', async () => {
    await expect(may(legacyUser, theirs, studio)).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    const seen = visibleTo({ viewer: legacyUser, permissions: permissions() }, permission, ours);
    await expect(seen).rejects.toMatchObject({ reason: 'FORBIDDEN' });
  });
});

describe('clients of an open legacy route', () => {
  it('see only the organization that they name', async () => {
    expect(await may(legacyClient, ours, studio)).toBe(true);
    expect(await may(legacyClient, theirs, null)).toBe(false);
    await expect(visibleTo({ viewer: legacyClient, permissions: permissions() }, permission, theirs)).rejects.toThrow();
  });

  it('hold only the permission of their route', async () => {
    const needs = { viewer: legacyClient, permissions: permissions() };

    expect(await holdsPermissionOver(needs, 'advertising:manage', { organizationId: ours, workspaceId: null })).toBe(
      false,
    );
  });
});

describe('everybody else', () => {
  it.each([
    ['customers are refused', customer, 'FORBIDDEN'],
    ['strangers are asked to sign in', null, 'UNAUTHENTICATED'],
  ])('%s', async (_name, viewer, reason) => {
    await expect(may(viewer, ours, hall)).rejects.toMatchObject({ reason });
    await expect(visibleTo({ viewer, permissions: permissions() }, permission)).rejects.toMatchObject({ reason });
  });
});
