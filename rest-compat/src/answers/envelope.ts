import { paginated } from '@foyer/shared/pagination';
import { z } from 'zod';

import { answered } from '../answered.ts';

/** `{ success: true }`. */
export const Done = z.object({ success: z.literal(true) });

export const done: z.input<typeof Done> = { success: true };

/** `{ success: true, data }`. */
export const okOf = <Data extends z.ZodType>(data: Data) => Done.extend({ data });

export const ok = <Data>(data: Data) => ({ ...done, data });

/** A page of a list, as `paginated` returns it. */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  okOf(z.array(item)).extend({
    pagination: z.object({ page: z.int(), limit: z.int(), total: z.int(), totalPages: z.int() }),
  });

/** The id of what was deleted or recorded. */
export const Id = z.object({ id: z.string() });

/** The id of what was deleted, where the documents have numbers. */
export const NumericId = z.object({ id: z.int() });

interface Connection<Node> {
  edges: { node: Node }[];
}

/** Maps the nodes of a connection to their REST shape. */
export const nodes = <Node, Shown>(found: Connection<Node> | null, show: (node: Node) => Shown): Shown[] =>
  answered(found).edges.map(({ node }) => show(node));

/** Maps a part of a connection to a page of a list. */
export const pageReply = <Node, Shown>(
  found: (Connection<Node> & { totalCount: number }) | null,
  show: (node: Node) => Shown,
  paging: Parameters<typeof paginated>[1],
) => paginated(nodes(found, show), paging, answered(found).totalCount);

/** Spells a value of an enum as REST does. */
export const lowercase = <Word extends string>(word: Word) => word.toLowerCase() as Lowercase<Word>;
