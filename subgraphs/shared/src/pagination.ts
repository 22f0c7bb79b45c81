import { z } from 'zod';

import { badInput } from './errors.ts';
import { isUuid } from './ids.ts';

const DEFAULT_SIZE = 20;
const LARGEST_SIZE = 100;
const LARGEST_PAGE = 100_000;

/** The arguments of a list in GraphQL: how many entries, and from where. Lists take the ones that their SDL names. */
export interface PageArguments {
  first?: number | null | undefined;
  /** The cursor of the entry before the page. */
  after?: string | null | undefined;
  /** How many entries to skip behind `after`. */
  offset?: number | null | undefined;
  /** The number of the page, from 1. */
  page?: number | null | undefined;
}

interface Page {
  first: number;
  skip: number;
  /** One row more than `first`: it shows whether another page follows. */
  take: number;
  after: string | undefined;
}

/**
 * Reads which page of a list is requested.
 *
 * @param largest how many entries may be requested at once
 * @throws {Refusal} `VALIDATION_FAILED` for a number out of range
 */
export function readPage({ first, after, offset, page }: PageArguments, largest = LARGEST_SIZE): Page {
  const size = first ?? DEFAULT_SIZE;
  if (size < 1 || size > largest) throw badInput([{ path: 'first', message: `must be from 1 to ${largest}` }]);
  if (offset && offset < 0) throw badInput([{ path: 'offset', message: 'must not be negative' }]);
  if (page != null && (page < 1 || page > LARGEST_PAGE))
    throw badInput([{ path: 'page', message: `must be from 1 to ${LARGEST_PAGE}` }]);
  return { first: size, skip: page ? (page - 1) * size : (offset ?? 0), take: size + 1, after: after ?? undefined };
}

/**
 * How many rows a search for a text reads. For one or two, PostgreSQL would read all rows in the order of the list rather than
 * the index of the text, because it expects those that match to lie among the first.
 */
export const takeOfSearch = (take: number): number => Math.max(take, DEFAULT_SIZE + 1);

/** A page of a list as a connection (GraphQL Cursor Connections Specification), from one row more than it shows. */
export function connectionOf<Row>(rows: readonly Row[], first: number, cursorOfRow: (row: Row) => string) {
  const edges = rows.slice(0, first).map((node) => ({ cursor: cursorOfRow(node), node }));
  return { edges, pageInfo: { hasNextPage: rows.length > first, endCursor: edges.at(-1)?.cursor ?? null } };
}

interface List<Row> {
  find(range: Pick<Page, 'skip' | 'take' | 'after'>): PromiseLike<Row[]>;
  count(): PromiseLike<number>;
  /** The sort key, as text. */
  keyOf(row: Row): string;
}

/**
 * Reads one page of a list whose cursors are its keys. The whole list is counted only for clients that select `totalCount`
 * (countOnDemand): it is a function, for which the generated types of resolvers have no room.
 *
 * @throws {Refusal} `VALIDATION_FAILED` for a number out of range
 */
export async function readConnection<Row>(args: PageArguments, { find, count, keyOf }: List<Row>) {
  const { first, ...range } = readPage(args);
  return { ...connectionOf(await find(range), first, keyOf), totalCount: count as unknown as number };
}

/** A cursor made of the values that its list is sorted by. */
export const cursorOf = (...values: readonly (string | number | bigint)[]): string =>
  Buffer.from(JSON.stringify(values.map(String))).toString('base64url');

/**
 * Reads the values that `cursorOf` put into a cursor; null without a cursor.
 *
 * @throws {Refusal} `VALIDATION_FAILED` for any other text
 */
export function readCursor(cursor: string | null | undefined): string[] | null {
  if (!cursor) return null;
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (Array.isArray(values) && values.every((value) => typeof value === 'string')) return values;
  } catch {
    // refused below
  }
  throw unknownCursor();
}

/**
 * Reads the cursor of a list whose rows are sorted by a moment and their id; null without a cursor.
 *
 * @param idIn reads an id; null when the text is none
 * @throws {Refusal} `VALIDATION_FAILED` for any other text
 */
export function readMomentCursor<Id>(
  cursor: string | null | undefined,
  idIn: (text: string) => Id | null,
): { moment: Date; id: Id } | null {
  const values = readCursor(cursor);
  if (!values) return null;
  const [moment, id] = [new Date(values[0] ?? ''), idIn(values[1] ?? '')];
  const year = moment.getUTCFullYear(); // PostgreSQL has no year 0, and RFC 3339 none of five digits
  if (id === null || !(year >= 1 && year <= 9_999)) throw unknownCursor();
  return { moment, id };
}

/**
 * The filter for a list that is sorted by a UUID, which is its cursor.
 *
 * @throws {Refusal} `VALIDATION_FAILED` for any other cursor
 */
export function uuidAfter(cursor: string | undefined): { gt?: string } {
  if (cursor === undefined) return {};
  if (!isUuid(cursor)) throw unknownCursor();
  return { gt: cursor };
}

export const unknownCursor = () => badInput([{ path: 'after', message: 'is not a cursor of this list' }]);

/** REST: a client that names no page gets all rows. Infinity, so that no client can write it. */
export const ALL_ROWS = Number.POSITIVE_INFINITY;

const page = z.coerce.number().int().min(1).max(1_000_000);
const limit = z.coerce.number().int().min(1).max(LARGEST_SIZE);

/** `page` and `limit` of the documents' paged lists: 20 rows by default, at most 100; 400 out of range. */
export const Pagination = z.object({ page: page.default(1), limit: limit.default(DEFAULT_SIZE) });

/** `page` and `limit` of lists that the documents show without pages: all rows unless the client names one of them. */
export const OptionalPagination = z.object({ page: page.optional(), limit: limit.optional() });

type Paging = z.output<typeof OptionalPagination>;

/** The arguments of a GraphQL list that skips rows (`first`, `offset`). */
export function offsetArguments(paging: Paging): { first: number; offset: number } {
  const first = paging.limit ?? (paging.page === undefined ? ALL_ROWS : DEFAULT_SIZE);
  return { first, offset: paging.page === undefined ? 0 : (paging.page - 1) * first };
}

/** The arguments of a GraphQL list that counts pages (`first`, `page`). */
export function pageArguments(paging: Paging): { first: number; page: number | null } {
  return { first: offsetArguments(paging).first, page: paging.page ?? null };
}

/** The body of a list in REST, with `pagination`. */
export function paginated<Item>(data: Item[], paging: Paging, total: number) {
  const { first } = offsetArguments(paging);
  const size = first === ALL_ROWS ? Math.max(data.length, DEFAULT_SIZE) : first;
  return {
    success: true as const,
    data,
    pagination: { page: paging.page ?? 1, limit: size, total, totalPages: Math.ceil(total / size) },
  };
}
