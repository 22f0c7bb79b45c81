import { unproven, type GivenId, type Id } from '../ids.ts';
import { forbidden, unauthenticated, type Viewer } from './viewer.ts';

/**
 * The permissions of a viewer, as identity resolves them: by one function that enforcement and `/me` share
 * (spec 1, "How a permission check is resolved").
 */
export interface Permissions {
  /** From the live platform membership. */
  onPlatform(viewer: Viewer): Promise<ReadonlySet<string>>;
  /** From the `org.role` claim; empty for any organization but the token's own. */
  inOrganization(viewer: Viewer, organizationId: Id): Promise<ReadonlySet<string>>;
  /** From live records; `null` when there is no such workspace. */
  inWorkspace(viewer: Viewer, workspaceId: Id): Promise<WorkspaceRights | null>;
  /** The workspaces of an organization in which the viewer holds a permission, for lists that span them. */
  workspacesWith(viewer: Viewer, organizationId: Id, permission: string): Promise<readonly Id[]>;
}

export interface WorkspaceRights {
  organizationId: Id;
  permissions: ReadonlySet<string>;
}

declare const proven: unique symbol;

/** Proof that a permission was checked, which only `prove` makes; the ids in it are the ones to use in the next line. */
export interface Proven {
  readonly [proven]: true;
}
export interface OrganizationPermit extends Proven {
  organizationId: Id;
}
export interface WorkspacePermit extends OrganizationPermit {
  workspaceId: Id;
}

/** Makes a permit of ids: for functions that have just checked the permission. */
export const prove = <Ids extends { organizationId: Id | null; workspaceId?: Id | null }>(ids: Ids) =>
  ids as Ids & Proven;

interface Needs {
  viewer: Viewer | null;
  permissions: Permissions;
}

/** Requires a platform permission. */
export async function permitOnPlatform({ viewer, permissions }: Needs, permission: string): Promise<Viewer> {
  if (!viewer) throw unauthenticated();
  if (!(await permissions.onPlatform(viewer)).has(permission)) throw forbidden();
  return viewer;
}

/** Requires a platform permission, which applies to every organization, for one of them. */
export async function permitOverOrganization(
  needs: Needs,
  given: GivenId,
  permission: string,
): Promise<OrganizationPermit> {
  await permitOnPlatform(needs, permission);
  return prove({ organizationId: unproven(given) });
}

/** Requires a permission in one organization. */
export async function permitInOrganization(
  { viewer, permissions }: Needs,
  given: GivenId,
  permission: string,
): Promise<OrganizationPermit> {
  if (!viewer) throw unauthenticated();
  const organizationId = unproven(given);
  if (!(await permissions.inOrganization(viewer, organizationId)).has(permission)) throw forbidden();
  return prove({ organizationId });
}

/** Requires a permission in one workspace; an unknown workspace is refused like one that the viewer may not see. */
export async function permitInWorkspace(
  { viewer, permissions }: Needs,
  given: GivenId,
  permission: string,
): Promise<WorkspacePermit> {
  if (!viewer) throw unauthenticated();
  const workspaceId = unproven(given);
  const rights = await permissions.inWorkspace(viewer, workspaceId);
  if (!rights?.permissions.has(permission)) throw forbidden();
  return prove({ organizationId: rights.organizationId, workspaceId });
}
