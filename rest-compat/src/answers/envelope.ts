import { paginated } from '@foyer/shared/pagination';
import { z } from 'zod';

import { answered } from '../answered.ts';

/** `{ success: true }`. */
export const Done = z.object({ success: z.literal(true) }).meta({ id: 'Done' });

export const done: z.input<typeof Done> = { success: true };

/** Returns the name of a schema in the OpenAPI document, which `meta` gives it. */
const nameOf = (schema: z.ZodType) => z.globalRegistry.get(schema)?.id;

/** Names a schema after its part, such as `Order` in `OrderPage`; without a name of the part, it has none. */
function namedAfter<Schema extends z.ZodType>(part: z.ZodType, ending: string, schema: Schema): Schema {
  const name = nameOf(part);
  return name === undefined ? schema : schema.meta({ id: `${name}${ending}` });
}

/** `{ success: true, data }`. */
export const okOf = <Data extends z.ZodType>(data: Data) =>
  data instanceof z.ZodArray
    ? namedAfter(data.element as z.ZodType, 'List', Done.extend({ data }))
    : namedAfter(data, 'Answer', Done.extend({ data }));

const Pagination = z
  .object({ page: z.int(), limit: z.int(), total: z.int(), totalPages: z.int() })
  .meta({ id: 'Pagination' });

export const ok = <Data>(data: Data) => ({ ...done, data });

/** A page of a list, as `paginated` returns it. */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  namedAfter(item, 'Page', okOf(z.array(item)).extend({ pagination: Pagination }));

/** The id of what was deleted or recorded. */
export const Id = z.object({ id: z.string() }).meta({ id: 'Id' });

/** `{ success: true, id }`, of what was deleted. */
export const Deleted = Done.extend(Id.shape).meta({ id: 'Deleted' });

/** The id of what was deleted, where the documents have numbers. */
export const NumericId = z.object({ id: z.int() }).meta({ id: 'NumericId' });

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
