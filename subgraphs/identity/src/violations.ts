import { Prisma } from '@foyer/prisma/client';

/** Whether the database refused a row because another one has what is there once. */
export const isUniqueViolation = (error: unknown): boolean =>
  error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002';
