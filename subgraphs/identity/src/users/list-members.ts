import type { GivenId } from '@foyer/shared/ids';

import type { Context } from '../context.ts';
import { permitReading, type ReadingNeeds } from '../tenancy/permit-reading.ts';
import { readConnection, uuidAfter, type PageArguments } from '@foyer/shared/pagination';

type Needs = ReadingNeeds & Pick<Context, 'db'>;

/** Lists the people of an organization. */
export async function listMembers(
  needs: Needs,
  { organizationId: given, ...args }: PageArguments & { organizationId?: GivenId | null | undefined },
) {
  const { organizationId } = await permitReading(needs, given);
  return readConnection(args, {
    find: ({ after, ...range }) =>
      needs.db.organizationMember.findMany({
        where: { organizationId, userId: uuidAfter(after) },
        orderBy: { userId: 'asc' },
        ...range,
      }),
    count: () => needs.db.organizationMember.count({ where: { organizationId } }),
    keyOf: ({ userId }) => userId,
  });
}
