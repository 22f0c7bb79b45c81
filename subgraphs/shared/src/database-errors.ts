import { z } from 'zod';

import { Refusal } from './errors.ts';

/** Whether the database refused a row because another one has the same unique value. */
export const isUniqueViolation = (error: unknown): boolean => codeOf(error) === 'P2002';

/** Whether the database refused because a row is still referenced, or references one that does not exist. */
export const isReferenceViolation = (error: unknown): boolean => codeOf(error) === 'P2003';

/** Whether the connection was lost, so that it is unknown whether the statement took effect. */
export const isConnectionLoss = (error: unknown): boolean =>
  error instanceof Error &&
  (lossCodes.has(codeOf(error)) || /terminat|closed the connection|ECONN|EPIPE/i.test(error.message));

/** Prisma's: can't reach the server, timed out, closed by the server, no free connection in time. */
const lossCodes = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024']);

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

/** Prisma's codes (for P2010, a raw statement, the cause decides), and the kinds of its adapter. */
const codes = new Set(['P1001', 'P1002', 'P1008', 'P2024', 'P2037']);
const kinds = new Set(['DatabaseNotReachable', 'TooManyConnections']);
/** The codes of a connection that was open: the server closed it, or went silent. */
const lost = new Set(['P1017', 'ConnectionClosed', 'SocketTimeout']);

/** The system's codes for an unreachable server, and for a broken connection. */
const unreachable = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN']);
const broken = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT']);

/**
 * SQLSTATE of a server that lacks resources, is starting, or is read-only since a failover; of one that undid one of two
 * transactions that waited for each other, or gave no lock in time; and of one that ends a connection: it stops, or crashed.
 */
const REFUSES = /^(?:53...|57P03|25006)$/;
const CONFLICTS = /^(?:40P01|40001|55P03)$/;
const ENDED = /^(?:08...|57P0[12])$/;

/** The messages of the pool, whose errors have no code. */
const noConnection = new Set([
  'timeout exceeded when trying to connect',
  'Connection terminated due to connection timeout',
]);

/** The driver's messages for a connection that is lost or hangs, which have no code either. */
const GONE =
  /^(?:Connection terminated|Client has encountered a connection error|Client was closed|Query read timeout)/;

/** What the driver adapter says. */
const Cause = z.object({ kind: z.string(), code: z.string().optional(), originalCode: z.string().optional() });

const Failed = z.object({
  code: z.string().optional(),
  message: z.string(),
  /** Of an error of the adapter that Prisma passes on as it is: one that begins or ends a transaction. */
  cause: Cause.optional().catch(undefined),
  meta: z
    .object({
      /** How long a transaction might have taken; only of one that took longer. */
      timeout: z.number().optional(),
      driverAdapterError: z.object({ cause: Cause }).optional(),
    })
    .optional()
    .catch(undefined),
});
type Failed = z.output<typeof Failed>;

/**
 * The refusal for a database that can't be reached or written, gives no connection or lock in time, takes too long for a
 * transaction, undoes one that conflicts with another, or drops the connection: the same request may succeed in a moment.
 * Undefined for any other error.
 *
 * Where the connection broke, a change may have been saved or not: it is reported neither as done nor as failed
 * (`outcome: UNKNOWN`). Otherwise nothing was done.
 */
export function databaseBusy(error: unknown): Refusal | undefined {
  const failed = Failed.safeParse(error).data;
  if (!failed) return undefined;
  if (isAway(failed) || isConflict(failed)) return busy(error);
  return isLost(failed) ? busy(error, { outcome: 'UNKNOWN' }) : undefined;
}

/** Whether the database was busy or away before it did anything: whatever else is tried now fails alike. */
export function nothingWasDone(error: unknown): boolean {
  const failed = Failed.safeParse(error).data;
  return failed !== undefined && isAway(failed);
}

const sentences = {
  busy: 'The database does not answer in time: try again in a moment.',
  lost: 'The connection to the database broke: try again in a moment. If this was a change, look first whether it was saved.',
};

const busy = (cause: unknown, fact?: { outcome: 'UNKNOWN' }) =>
  new Refusal('UPSTREAM_UNAVAILABLE', 'DATABASE_BUSY', fact ? sentences.lost : sentences.busy, {
    cause,
    retryAfter: 1,
    ...fact,
  });

function isAway({ code = '', message, meta, cause }: Failed): boolean {
  const { kind, state } = causeOf(meta, cause);
  const expired = code === 'P2028' && (meta?.timeout !== undefined || message.includes('Unable to start'));
  return (
    expired ||
    codes.has(code) ||
    unreachable.has(code) ||
    kinds.has(kind) ||
    noConnection.has(message) ||
    REFUSES.test(state || code)
  );
}

/** Whether another transaction was in the way: the parts of this one may pass one by one. */
const isConflict = ({ code = '', meta, cause }: Failed): boolean => CONFLICTS.test(causeOf(meta, cause).state || code);

/** Whether the connection broke, whether or not anything had been sent on it. */
function isLost({ code = '', message, meta, cause }: Failed): boolean {
  const { kind, state } = causeOf(meta, cause);
  return GONE.test(message) || broken.has(code) || lost.has(code) || lost.has(kind) || ENDED.test(state || code);
}

function causeOf(meta: Failed['meta'], own: Failed['cause']) {
  const { kind = '', code, originalCode } = meta?.driverAdapterError?.cause ?? own ?? {};
  return { kind, state: originalCode ?? code ?? '' };
}
