import type { Permissions } from '@foyer/shared/auth/permissions';
import type { Viewer } from '@foyer/shared/auth/viewer';

/**
 * Evaluates `@policy` in Foyer's own gateway: a policy is the name of a permission that the viewer holds on the platform
 * or in the organization of their token.
 */
export const permissionPolicies =
  (permissions: Permissions) =>
  async (policies: readonly string[], { viewer }: { viewer: Viewer | null }): Promise<ReadonlySet<string>> => {
    if (!viewer) return new Set();
    const [onPlatform, inOrganization] = await Promise.all([
      permissions.onPlatform(viewer),
      viewer.kind === 'staff' ? permissions.inOrganization(viewer, viewer.organizationId) : new Set<string>(),
    ]);
    return new Set(policies.filter((policy) => onPlatform.has(policy) || inOrganization.has(policy)));
  };
