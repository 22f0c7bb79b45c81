import type { GatewayOptions } from '@foyer/gateway/app';
import type { Permissions } from '@foyer/shared/auth/permissions';

/**
 * Evaluates `@policy` in Foyer's own gateway: a policy is the name of a permission that the viewer holds on the platform
 * or in the organization of their token.
 */
export const permissionPolicies =
  (permissions: Permissions): NonNullable<GatewayOptions['evaluatePolicies']> =>
  async (policies, { viewer }) => {
    if (!viewer) return new Set();
    const [onPlatform, inOrganization] = await Promise.all([
      permissions.onPlatform(viewer),
      viewer.kind === 'staff' ? permissions.inOrganization(viewer, viewer.organizationId) : new Set<string>(),
    ]);
    return new Set(policies.filter((policy) => onPlatform.has(policy) || inOrganization.has(policy)));
  };
