import { Refusal } from '@foyer/shared/errors';

export const organizationNotReady = () =>
  new Refusal(
    'CONFLICT',
    'ORGANIZATION_NOT_READY',
    'This organization is not in use yet: nobody can be invited to it.',
  );

/** Two people of one organization with one address could not sign in by it, either of them. */
export const emailTaken = () => new Refusal('CONFLICT', 'EMAIL_TAKEN', 'Somebody has this e-mail address.');

export const usernameTaken = () => new Refusal('CONFLICT', 'USERNAME_TAKEN', 'This name is taken.');

export const userNotInvited = () =>
  new Refusal('CONFLICT', 'USER_NOT_INVITED', 'Only who has not accepted an invitation yet gets another one.');

/** Also for somebody of another organization. */
export const userNotFound = () => new Refusal('NOT_FOUND', 'USER_NOT_FOUND', 'There is no such user.');
