import type { TargetGroup } from '@foyer/prisma/client';

import type { Context } from '../context.ts';
import { findManagedTargetGroup } from './find-managed-target-group.ts';
import { targetGroupNotFound } from './refusals.ts';
import { drawUpTargetGroup, throwRefusal } from './target-group.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'permissions'>;

/**
 * Replaces a target group.
 *
 * @throws {Refusal} `TARGET_GROUP_NOT_FOUND`, `VALIDATION_FAILED`, `TARGET_GROUP_EXISTS`
 */
export async function updateTargetGroup(
  needs: Needs,
  { id, input }: { id: string; input: unknown },
): Promise<TargetGroup> {
  const { id: found } = await findManagedTargetGroup(needs, id);
  const data = drawUpTargetGroup(input);
  const [updated] = await needs.db.targetGroup.updateManyAndReturn({ where: { id: found }, data }).catch(throwRefusal);
  if (!updated) throw targetGroupNotFound(); // somebody has just deleted it
  return updated;
}
