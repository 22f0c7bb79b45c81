import { Refusal } from '@foyer/shared/errors';

export const userNotInvited = () =>
  new Refusal('CONFLICT', 'USER_NOT_INVITED', 'Only who has not accepted an invitation yet gets another one.');

/** Also for somebody of another organization. */
export const userNotFound = () => new Refusal('NOT_FOUND', 'USER_NOT_FOUND', 'There is no such user.');
