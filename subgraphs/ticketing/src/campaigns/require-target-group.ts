import { isUuid, type Id } from '@foyer/shared/ids';

import type { Context } from '../context.ts';
import { targetGroupNotValid } from './refusals.ts';

/**
 * Requires that a target group belongs to an organization.
 *
 * @throws {Refusal} `TARGET_GROUP_NOT_VALID`
 */
export async function requireTargetGroup({ db }: Pick<Context, 'db'>, organizationId: Id, id: string) {
  const found = isUuid(id) && (await db.targetGroup.findFirst({ where: { id, organizationId } }));
  if (!found) throw targetGroupNotValid();
}
