import { z } from 'zod';

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

/** Maps the nodes of a connection to their REST shape. */
export const nodes = <Node, Shown>({ edges }: { edges: { node: Node }[] }, show: (node: Node) => Shown): Shown[] =>
  edges.map(({ node }) => show(node));

/** Spells a value of an enum as REST does. */
export const lowercase = <Word extends string>(word: Word) => word.toLowerCase() as Lowercase<Word>;
