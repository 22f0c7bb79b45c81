import type { TargetGroup } from '@foyer/prisma/client';
import { isUuid, type GivenId, type Id } from '@foyer/shared/ids';
import { readInput } from '@foyer/shared/read-input';
import { requireStaff } from '@foyer/shared/auth/viewer';
import { z } from 'zod';
import { isReferenceViolation, isUniqueViolation } from '@foyer/shared/database-errors';

import type { Context } from '../context.ts';
import { holdsPermissionOver, permitOver } from '../access/staff-scope.ts';
import { nameInput, proseInput } from '../catalogue/inputs.ts';
import { targetGroupExists, targetGroupInUse, targetGroupNotFound } from './refusals.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'permissions'>;

const PERMISSION = 'campaign:manage';
const Input = z.object({ name: nameInput, description: proseInput });

/**
 * Creates a target group. All campaigns of the organization share it, so it needs the right to manage all workspaces.
 *
 * @throws {Refusal} `FORBIDDEN`, `VALIDATION_FAILED`, `TARGET_GROUP_EXISTS`
 */
export async function createTargetGroup(
  needs: Needs,
  { organizationId: given, input }: { organizationId: GivenId; input: unknown },
): Promise<TargetGroup> {
  requireStaff(needs.viewer);
  const { organizationId } = await permitOver(needs, PERMISSION, { organizationId: given, workspaceId: null });
  const data = { organizationId, ...readInput(Input, input) };
  return needs.db.targetGroup.create({ data }).catch(throwRefusal);
}

/**
 * Replaces a target group.
 *
 * @throws {Refusal} `TARGET_GROUP_NOT_FOUND`, `VALIDATION_FAILED`, `TARGET_GROUP_EXISTS`
 */
export async function updateTargetGroup(
  needs: Needs,
  { id, input }: { id: string; input: unknown },
): Promise<TargetGroup> {
  const { id: found } = await findManaged(needs, id);
  const data = readInput(Input, input);
  const [updated] = await needs.db.targetGroup.updateManyAndReturn({ where: { id: found }, data }).catch(throwRefusal);
  if (!updated) throw targetGroupNotFound(); // somebody has just deleted it
  return updated;
}

/**
 * Deletes a target group that no campaign uses.
 *
 * @throws {Refusal} `TARGET_GROUP_NOT_FOUND`, `TARGET_GROUP_IN_USE`
 */
export async function deleteTargetGroup(needs: Needs, id: string): Promise<string> {
  const { id: found } = await findManaged(needs, id);
  const { count } = await needs.db.targetGroup.deleteMany({ where: { id: found } }).catch(throwRefusal);
  if (count === 0) throw targetGroupNotFound();
  return found;
}

async function findManaged(needs: Needs, id: string): Promise<TargetGroup> {
  requireStaff(needs.viewer);
  const found = isUuid(id) ? await needs.db.targetGroup.findUnique({ where: { id } }) : null;
  if (!found || !(await mayManage(needs, found.organizationId))) throw targetGroupNotFound();
  return found;
}

async function mayManage(needs: Needs, organizationId: Id): Promise<boolean> {
  requireStaff(needs.viewer);
  return holdsPermissionOver(needs, PERMISSION, { organizationId, workspaceId: null });
}

/** Turns a database error into a refusal. */
function throwRefusal(error: unknown): never {
  if (isUniqueViolation(error)) throw targetGroupExists();
  if (isReferenceViolation(error)) throw targetGroupInUse();
  throw error;
}
