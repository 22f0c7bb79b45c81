import type { Permissions, WorkspaceRights } from '@foyer/shared/auth/permissions';
import type { Staff } from '@foyer/shared/auth/viewer';
import { newId } from '@foyer/shared/ids';
import { describe, expect, it } from 'vitest';

import { holds } from './staff.ts';

const organizationId = newId();
const order = { organizationId, workspaceId: newId() };

/** Whether somebody may resolve a review of the order, by their permissions on the platform and in its workspace. */
function mayReview(onPlatform: string[], inWorkspace: WorkspaceRights | null) {
  const permissions: Permissions = {
    onPlatform: async () => new Set(onPlatform),
    inOrganization: async () => new Set(),
    inWorkspace: async () => inWorkspace,
    workspacesWith: async () => [],
  };
  return holds({ permissions }, { kind: 'staff', organizationId } as Staff, order, 'payments:manage');
}

describe('an order', () => {
  it('is managed by those who hold the permission in its workspace', async () => {
    const own = { organizationId, permissions: new Set(['payments:manage']) };
    expect(await mayReview([], own)).toBe(true);
    expect(await mayReview([], { ...own, organizationId: newId() })).toBe(false);
    expect(await mayReview(['org:manage'], { organizationId, permissions: new Set() })).toBe(false);
  });

  it('of a workspace that was deleted is managed by those who run the platform, or nobody could refund it', async () => {
    expect(await mayReview(['org:manage'], null)).toBe(true);
    expect(await mayReview(['platform:apps:platformconsole:access'], null)).toBe(false);
  });
});
