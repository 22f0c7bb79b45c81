/** How many rows a list asks for whose client names no page: older clients know none, and get all that there are. */
export const EVERYTHING = Number.POSITIVE_INFINITY; // no client can write it
/** More are never read. */
const AT_MOST = 10_000;
/** As many as GraphQL gives at once. */
const AT_ONCE = 100;

interface List {
  totalCount: number;
  edges?: unknown[];
  items?: unknown[];
}

/**
 * Runs the operation of a row; where it asks for everything, as often as it takes, and puts the rows of all answers into the
 * first.
 */
export async function inParts<Data extends object>(
  variables: Record<string, unknown>,
  run: (variables: Record<string, unknown>) => Promise<Data>,
): Promise<Data> {
  const most = ['first', 'limit'].find((name) => variables[name] === EVERYTHING);
  if (!most) return run(variables);
  const part = (offset: number) => run({ ...variables, [most]: AT_ONCE, offset });
  const data = await part(0);
  const list = listIn(data);
  if (!list) return data;
  const rows = rowsOf(list);
  while (rows.length < Math.min(list.totalCount, AT_MOST)) {
    const next = listIn(await part(rows.length));
    if (!next || rowsOf(next).length === 0) break; // there are fewer by now
    rows.push(...rowsOf(next));
  }
  list[list.edges ? 'edges' : 'items'] = rows;
  return data;
}

const listIn = (data: object) => Object.values(data).find((value): value is List => isList(value));

const isList = (value: unknown): value is List =>
  typeof value === 'object' && value !== null && 'totalCount' in value && ('edges' in value || 'items' in value);

const rowsOf = ({ edges, items }: List): unknown[] => [...(edges ?? items ?? [])];
