import { badInput } from '@foyer/shared/errors';
import { rowId } from '@foyer/shared/ids';

export interface PageArguments {
  first?: number | null | undefined;
  after?: string | null | undefined;
  /** For clients that count pages: how many to skip after `after`. */
  offset?: number | null | undefined;
}

interface Range {
  where: { id: { gt: number } };
  orderBy: { id: 'asc' };
  skip: number;
  take: number;
}

interface List<Row> {
  find(range: Range): Promise<Row[]>;
  count(): Promise<number>;
}

const PAGE_LIMIT = 100;

/** One page of a list in the order of its ids, as a connection. */
export async function readPage<Row extends { id: number }>(args: PageArguments, list: List<Row>) {
  const first = args.first ?? 20;
  const offset = args.offset ?? 0;
  if (first < 1 || first > PAGE_LIMIT) throw badInput([{ path: 'first', message: 'A page has 1 to 100 entries.' }]);
  if (offset < 0) throw badInput([{ path: 'offset', message: 'The offset can not be negative.' }]);

  const [rows, totalCount] = await Promise.all([
    // One more than asked for: is there a next page?
    list.find({
      where: { id: { gt: rowId(args.after ?? '') } },
      orderBy: { id: 'asc' },
      skip: offset,
      take: first + 1,
    }),
    list.count(),
  ]);
  const edges = rows.slice(0, first).map((node) => ({ cursor: String(node.id), node }));
  return {
    edges,
    pageInfo: { hasNextPage: rows.length > first, endCursor: edges.at(-1)?.cursor ?? null },
    totalCount,
  };
}
