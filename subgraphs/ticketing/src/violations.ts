import { Prisma } from '@foyer/prisma/client';

const has = (error: unknown, code: string) =>
  error instanceof Prisma.PrismaClientKnownRequestError && error.code === code;

/** Whether the database refused because something of that name is there already. */
export const isUniqueViolation = (error: unknown): boolean => has(error, 'P2002');

/** Whether the database refused because something else still refers to it, or no longer is there. */
export const isReferenceViolation = (error: unknown): boolean => has(error, 'P2003');

/** Whether the connection was lost, so that nobody knows what became of the statement. */
export const isConnectionLoss = (error: unknown): boolean =>
  error instanceof Error &&
  (lossCodes.has(codeOf(error)) || /terminat|closed the connection|ECONN|EPIPE/i.test(error.message));

/** Of Prisma: can't reach, timed out, closed by the server, none free in time. */
const lossCodes = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024']);
const codeOf = (error: Error) => ('code' in error ? String(error.code) : '');
