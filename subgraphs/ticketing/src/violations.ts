import { Prisma } from '@foyer/prisma/client';

const has = (error: unknown, code: string) =>
  error instanceof Prisma.PrismaClientKnownRequestError && error.code === code;

/** Whether the database refused because something of that name is there already. */
export const isUniqueViolation = (error: unknown): boolean => has(error, 'P2002');

/** Whether the database refused because something else still refers to it, or no longer is there. */
export const isReferenceViolation = (error: unknown): boolean => has(error, 'P2003');
