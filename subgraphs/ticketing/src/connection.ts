import { badInput } from '@foyer/shared/errors';

const MOST = 100;

/** How much of a list is asked for. */
export interface PageArgs {
  first?: number | null | undefined;
  after?: string | null | undefined;
  page?: number | null | undefined;
}

/**
 * Reads how much of a list is asked for.
 *
 * @param most how much may be asked for at once
 * @returns `take` one more row than `first`: whether it is there tells whether another page follows
 * @throws {Refusal} `VALIDATION_FAILED` outside 1 to `most`, or for a cursor that is none of ours
 */
export function readPage(
  { first, after, page }: PageArgs,
  most = MOST,
): {
  first: number;
  take: number;
  skip: number;
  after: string[] | null;
} {
  const size = first ?? 20;
  if (size < 1 || size > most) throw badInput([{ path: 'first', message: `must be from 1 to ${most}` }]);
  if (page && (page < 1 || page > 100_000)) throw badInput([{ path: 'page', message: 'must be 1 or more' }]);
  return { first: size, take: size + 1, skip: page ? (page - 1) * size : 0, after: after ? readCursor(after) : null };
}

/** What a list continues after: the values that it is sorted by. */
export const cursorOf = (...values: readonly (string | number | bigint)[]) =>
  Buffer.from(JSON.stringify(values.map(String))).toString('base64url');

/** @throws {Refusal} `VALIDATION_FAILED` for what `cursorOf` did not make */
export function readCursor(cursor: string): string[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (Array.isArray(values) && values.every((value) => typeof value === 'string')) return values;
  } catch {
    // told below
  }
  throw badInput([{ path: 'after', message: 'is not a cursor of this list' }]);
}

/** @returns the moment in a part of a cursor; null when there is none */
export function momentOf(part: string | undefined): Date | null {
  if (part === undefined) return null;
  const moment = new Date(part);
  return Number.isNaN(moment.getTime()) ? null : moment;
}

/** A page of a list (Relay's connection), from one row more than it shows. */
export function connectionOf<Row>(rows: readonly Row[], first: number, cursor: (row: Row) => string) {
  const edges = rows.slice(0, first).map((node) => ({ cursor: cursor(node), node }));
  return { edges, pageInfo: { hasNextPage: rows.length > first, endCursor: edges.at(-1)?.cursor ?? null } };
}
