import type { Prisma } from '@foyer/prisma/client';

import type { MediaScope } from '../media/permit-media.ts';
import type { VisibleMedia } from '../media/media.ts';

/** A part of a list of media. The whole list is counted only for clients that ask how long it is. */
export interface MediaPage {
  edges: { cursor: string; node: VisibleMedia }[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
  /** The condition of the whole list. */
  where: Prisma.MediaWhereInput;
  /** The same condition, where it names nothing but workspaces and an organization. */
  whole?: MediaScope | undefined;
}
