import { Refusal } from '@foyer/shared/errors';

/** Also for somebody of another organization. */
export const memberNotFound = () =>
  new Refusal('NOT_FOUND', 'USER_NOT_FOUND', 'There is no such person in this organization.');

export const ownRole = () => new Refusal('FORBIDDEN', 'OWN_ROLE', 'Nobody changes their own role.');

export const ownAccount = () =>
  new Refusal('CONFLICT', 'OWN_ACCOUNT', 'Nobody switches off their own account: ask another administrator.');

export const lastOwner = () =>
  new Refusal('CONFLICT', 'LAST_OWNER', 'An organization keeps its last owner: name another one first.');

export const lastAdministrator = () =>
  new Refusal('CONFLICT', 'LAST_ADMINISTRATOR', 'An organization without an owner keeps its last administrator.');

export const lastPlatformOwner = () =>
  new Refusal('CONFLICT', 'LAST_PLATFORM_OWNER', 'The platform keeps its last owner.');

export const notPlatformOwner = () =>
  new Refusal('NOT_FOUND', 'PLATFORM_OWNER_NOT_FOUND', 'This person is no owner of the platform.');

/** @param people the ids of two of them */
export const nameAmbiguous = (people: readonly string[]) =>
  new Refusal('CONFLICT', 'NAME_AMBIGUOUS', 'More than one person answers to this name: give the id.', { people });

export const stillInvited = () =>
  new Refusal('CONFLICT', 'ACCOUNT_INVITED', 'This person has not opened the invitation yet: invite again, or remove.');

export const stillPending = () => new Refusal('CONFLICT', 'ACCOUNT_PENDING', 'This person has not been approved yet.');
