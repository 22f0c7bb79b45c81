import { Refusal } from '@foyer/shared/errors';

/** How many rows a list asks for whose client names no page: older clients know none, and get all that there are. */
export const ALL_ROWS = Number.POSITIVE_INFINITY; // no client can write it
/** More are never read, unless the row says so: they are all in memory before the first of them is sent. */
const AT_MOST = 10_000;
/** As many as GraphQL gives at once. */
const AT_ONCE = 100;

interface List {
  totalCount?: number;
  pageInfo?: { hasNextPage: boolean; endCursor?: string | null };
  edges?: unknown[];
  items?: unknown[];
}

type Variables = Record<string, unknown>;

/**
 * Runs the operation of a row; where it asks for everything, as often as it takes, and puts the rows of all answers into the
 * first. A list that selects `pageInfo` continues after its cursor (`after`), another one by `offset`.
 *
 * @param atMost how many rows are read
 * @throws {Refusal} `LIST_TOO_LONG` where there are more
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
    if (Math.max(list.totalCount ?? 0, rows.length + 1) > atMost) throw tooLong(atMost);
    const more = listIn(await part(next));
    if (!more || rowsOf(more).length === 0) break; // there are fewer by now
    rows.push(...rowsOf(more));
    next = nextOf(more, rows.length);
  }
  list[list.edges ? 'edges' : 'items'] = rows;
  return data;
}

/** Where a list goes on after so many rows; undefined at its end. */
function nextOf({ pageInfo, totalCount = 0 }: List, read: number): Variables | undefined {
  if (pageInfo) return pageInfo.hasNextPage ? { after: pageInfo.endCursor } : undefined;
  return read < totalCount ? { offset: read } : undefined;
}

const tooLong = (atMost: number) =>
  new Refusal(
    'BAD_USER_INPUT',
    'LIST_TOO_LONG',
    `There are more than ${atMost.toLocaleString('en')}: ask for them in pages, with page and limit.`,
  );

const listIn = (data: object) => Object.values(data).find((value): value is List => isList(value));

const isList = (value: unknown): value is List =>
  typeof value === 'object' &&
  value !== null &&
  ('totalCount' in value || 'pageInfo' in value) &&
  ('edges' in value || 'items' in value);

const rowsOf = ({ edges, items }: List): unknown[] => [...(edges ?? items ?? [])];
