import { z } from 'zod';

import { EVERYTHING } from './whole-lists.ts';

const USUAL = 20;
const page = z.coerce.number().int().min(1).max(1_000_000);
const limit = z.coerce.number().int().min(1).max(100);

/** `page` and `limit` of lists that the documents page: default 20, at most 100; out of range is 400. */
export const Pagination = z.object({ page: page.default(1), limit: limit.default(USUAL) });

/** The same of lists that they show without pages: whoever names neither gets all rows. */
export const MaybePaged = z.object({ page: page.optional(), limit: limit.optional() });

type Asked = z.output<typeof MaybePaged>;

/** Which part of a list somebody has asked for. */
export function partOf(asked: Asked): { first: number; offset: number } {
  const first = asked.limit ?? (asked.page === undefined ? EVERYTHING : USUAL);
  return { first, offset: asked.page === undefined ? 0 : (asked.page - 1) * first };
}

/** The same of a list that continues after cursors. */
export function pageOf(asked: Asked): { first: number; page: number | null } {
  return { first: partOf(asked).first, page: asked.page ?? null };
}

/** A list with what a client needs to page through it. */
export function paginated<Item>(data: Item[], asked: Asked, total: number) {
  const { first } = partOf(asked);
  const limit = first === EVERYTHING ? Math.max(data.length, USUAL) : first;
  return {
    success: true,
    data,
    pagination: { page: asked.page ?? 1, limit, total, totalPages: Math.ceil(total / limit) },
  };
}
