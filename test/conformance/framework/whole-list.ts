import type { Server } from './server.ts';

type Row = Record<string, unknown>;

/** Returns all rows of a list: on a server in use it has many pages. */
export async function wholeList(server: Server, path: string, headers: Record<string, string>): Promise<Row[]> {
  const read = async (page: number) =>
    (await server.send('GET', `${path}?limit=100&page=${page}`, { headers })).json as {
      data: Row[];
      pagination: { totalPages: number };
    };
  const { pagination } = await read(1);
  const pages = await Promise.all(Array.from({ length: pagination.totalPages }, (_page, at) => read(at + 1)));
  return pages.flatMap(({ data }) => data);
}
