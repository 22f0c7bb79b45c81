import { Refusal } from '@foyer/shared/errors';

export const organizationNotFound = () =>
  new Refusal('NOT_FOUND', 'ORGANIZATION_NOT_FOUND', 'There is no such organization.');

export const organizationNotReady = () =>
  new Refusal(
    'CONFLICT',
    'ORGANIZATION_NOT_READY',
    'This organization is not in use yet: nobody can be invited to it.',
  );

export const organizationInUse = () =>
  new Refusal('CONFLICT', 'ORGANIZATION_IN_USE', 'This organization has members: one of them names an administrator.');

export const organizationNameTaken = () => new Refusal('CONFLICT', 'ORGANIZATION_NAME_TAKEN', 'This name is taken.');

export const companyCodeTaken = () =>
  new Refusal('CONFLICT', 'COMPANY_CODE_TAKEN', 'Another organization has this company code.');

/** Also for somebody of another organization. */
export const memberNotFound = () =>
  new Refusal('NOT_FOUND', 'USER_NOT_FOUND', 'There is no such person in this organization.');

/** Two people of one organization with the same address could not log in with it. */
export const emailTaken = () => new Refusal('CONFLICT', 'EMAIL_TAKEN', 'Somebody has this e-mail address.');

export const usernameTaken = () => new Refusal('CONFLICT', 'USERNAME_TAKEN', 'This name is taken.');

/** @param people the ids of two of them */
export const nameAmbiguous = (people: readonly string[]) =>
  new Refusal('CONFLICT', 'NAME_AMBIGUOUS', 'More than one person answers to this name: give the id.', { people });

export const stillInvited = () =>
  new Refusal('CONFLICT', 'ACCOUNT_INVITED', 'This person has not opened the invitation yet: invite again, or remove.');

export const stillPending = () => new Refusal('CONFLICT', 'ACCOUNT_PENDING', 'This person has not been approved yet.');
