import type { Context } from '../context.ts';
import { findManagedTargetGroup } from './find-managed-target-group.ts';
import { targetGroupNotFound } from './refusals.ts';
import { throwRefusal } from './target-group.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'permissions'>;

/**
 * Deletes a target group that no campaign uses.
 *
 * @throws {Refusal} `TARGET_GROUP_NOT_FOUND`, `TARGET_GROUP_IN_USE`
 */
export async function deleteTargetGroup(needs: Needs, id: string): Promise<string> {
  const { id: found } = await findManagedTargetGroup(needs, id);
  const { count } = await needs.db.targetGroup.deleteMany({ where: { id: found } }).catch(throwRefusal);
  if (count === 0) throw targetGroupNotFound();
  return found;
}
