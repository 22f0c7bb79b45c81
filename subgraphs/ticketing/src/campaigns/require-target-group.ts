import { isReferenceViolation } from '@foyer/shared/database-errors';
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

/** For a write that comes after that check: somebody may have deleted the target group in between. */
export function throwUnlessTargetGroup(error: unknown): never {
  throw isReferenceViolation(error) ? targetGroupNotValid() : error;
}
