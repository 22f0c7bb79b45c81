import { isUniqueViolation } from '@foyer/shared/database-errors';

import { emailProfileNameTaken } from './refusals.ts';

/** The unique constraint decides, so that of two simultaneous changes one is refused. */
export async function refuseTakenName<Result>(write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (isUniqueViolation(error)) throw emailProfileNameTaken();
    throw error;
  }
}
