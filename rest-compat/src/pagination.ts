import { z } from 'zod';

/** `page` and `limit` of every list route: default 20, at most 100; out of range is 400. */
export const Pagination = z.object({
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  limit: z.coerce.number().int().min(1).max(100).default(20),
});

/** A list with what a client needs to page through it. */
export const paginated = <Item>(data: Item[], { page, limit }: z.output<typeof Pagination>, total: number) => ({
  success: true,
  data,
  pagination: { page, limit, total, totalPages: Math.ceil(total / limit) },
});
