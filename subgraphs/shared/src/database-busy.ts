import { z } from 'zod';

import { Refusal } from './errors.ts';

/** What Prisma calls it (P2010: a statement of our own, whose cause tells), and what its adapter does. */
const codes = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2037']);
const kinds = new Set(['DatabaseNotReachable', 'ConnectionClosed', 'SocketTimeout', 'TooManyConnections']);

/** The pool's own words: its error has no code. */
const NO_CONNECTION = 'timeout exceeded when trying to connect';

const Failed = z.object({
  code: z.string().optional(),
  message: z.string(),
  meta: z
    .object({
      /** How long a transaction might have taken; only of one that took longer. */
      timeout: z.number().optional(),
      driverAdapterError: z.object({ cause: z.object({ kind: z.string() }) }).optional(),
    })
    .optional()
    .catch(undefined),
});

/**
 * The refusal for a database that can't be reached, gives no connection in time or takes too long for a transaction:
 * nothing was done, and the same request may succeed in a moment. Undefined for any other error.
 */
export function databaseBusy(error: unknown): Refusal | undefined {
  const failed = Failed.safeParse(error).data;
  if (!failed) return undefined;
  const { code = '', message, meta } = failed;
  const expired = code === 'P2028' && (meta?.timeout !== undefined || message.includes('Unable to start'));
  const unreachable = codes.has(code) || kinds.has(meta?.driverAdapterError?.cause.kind ?? '');
  if (!expired && !unreachable && message !== NO_CONNECTION) return undefined;
  const sentence = 'The database does not answer in time: try again in a moment.';
  return new Refusal('UPSTREAM_UNAVAILABLE', 'DATABASE_BUSY', sentence, { cause: error, retryAfter: 1 });
}
