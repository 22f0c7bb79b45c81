import { ALL_ROWS } from '@foyer/shared/pagination';

import { listTooLong } from './refusals.ts';

/** The most rows of an unpaginated list, all of which are in memory at once; a route may set another limit. */
const AT_MOST = 10_000;
/** The most rows that GraphQL returns at once. */
const AT_ONCE = 100;

interface List {
  totalCount?: number;
  pageInfo?: { hasNextPage: boolean; endCursor?: string | null };
  edges?: unknown[];
  items?: unknown[];
}

type Variables = Record<string, unknown>;

/**
 * Runs the operation of a route; for {@link ALL_ROWS}, repeats it until the list ends, and returns the first result with
 * the rows of all. A list that selects `pageInfo` continues after its cursor (`after`), another one by `offset`.
 *
 * @param atMost the most rows to read
 * @throws {Refusal} `LIST_TOO_LONG` when there are more
 */
export async function inParts<Data extends object>(
  variables: Variables,
  run: (variables: Variables) => Promise<Data>,
  atMost = AT_MOST,
): Promise<Data> {
  const most = ['first', 'limit'].find((name) => variables[name] === ALL_ROWS);
  if (!most) return run(variables);
  const part = (from: Variables) => run({ ...variables, [most]: AT_ONCE, ...from });
  const data = await part({});
  const list = listIn(data);
  if (!list) return data;
  const rows = rowsOf(list);
  for (let next = nextOf(list, rows.length); next;) {
    if (Math.max(list.totalCount ?? 0, rows.length + 1) > atMost) throw listTooLong(atMost);
    const more = listIn(await part(next));
    if (!more || rowsOf(more).length === 0) break; // rows were deleted meanwhile
    rows.push(...rowsOf(more));
    next = nextOf(more, rows.length);
  }
  list[list.edges ? 'edges' : 'items'] = rows;
  return data;
}

/** Returns the variables for the next part of a list; undefined at its end. */
function nextOf({ pageInfo, totalCount = 0 }: List, read: number): Variables | undefined {
  if (pageInfo) return pageInfo.hasNextPage ? { after: pageInfo.endCursor } : undefined;
  return read < totalCount ? { offset: read } : undefined;
}

const listIn = (data: object) => Object.values(data).find((value): value is List => isList(value));

const isList = (value: unknown): value is List =>
  typeof value === 'object' &&
  value !== null &&
  ('totalCount' in value || 'pageInfo' in value) &&
  ('edges' in value || 'items' in value);

const rowsOf = ({ edges, items }: List): unknown[] => [...(edges ?? items ?? [])];
