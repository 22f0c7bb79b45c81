import { badInput } from '@foyer/shared/errors';
import { isUuid } from '@foyer/shared/ids';

export interface PageArguments {
  first?: number | null | undefined;
  after?: string | null | undefined;
  /** For clients that count pages: how many to skip after `after`. */
  offset?: number | null | undefined;
}

interface Range {
  /** Only what comes after this key. */
  after: string | undefined;
  skip: number;
  take: number;
}

interface List<Row> {
  find(range: Range): PromiseLike<Row[]>;
  count(): PromiseLike<number>;
  /** What the list is ordered by. */
  keyOf(row: Row): string;
}

const PAGE_LIMIT = 100;

/** One page of a list in the order of its keys, as a connection. */
export async function readPage<Row>(args: PageArguments, { find, count, keyOf }: List<Row>) {
  const first = args.first ?? 20;
  const offset = args.offset ?? 0;
  if (first < 1 || first > PAGE_LIMIT) throw badInput([{ path: 'first', message: 'A page has 1 to 100 entries.' }]);
  if (offset < 0) throw badInput([{ path: 'offset', message: 'The offset can not be negative.' }]);
  const after = args.after ?? undefined;

  const [rows, totalCount] = await Promise.all([
    // One more than asked for: is there a next page?
    find({ after, skip: offset, take: first + 1 }),
    count(),
  ]);
  const edges = rows.slice(0, first).map((node) => ({ cursor: keyOf(node), node }));
  return {
    edges,
    pageInfo: { hasNextPage: rows.length > first, endCursor: edges.at(-1)?.cursor ?? null },
    totalCount,
  };
}

/** The filter for a list in the order of uuids. */
export function uuidAfter(after: string | undefined): { gt?: string } {
  if (after === undefined) return {};
  if (!isUuid(after)) throw badInput([{ path: 'after', message: 'This is no cursor.' }]);
  return { gt: after };
}
