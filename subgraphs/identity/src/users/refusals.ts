import { Refusal } from '@foyer/shared/errors';

export const ownRole = () => new Refusal('FORBIDDEN', 'OWN_ROLE', 'Nobody changes their own role.');

export const ownAccount = () =>
  new Refusal('CONFLICT', 'OWN_ACCOUNT', 'Nobody switches off their own account: ask another administrator.');

export const lastOwner = () =>
  new Refusal('CONFLICT', 'LAST_OWNER', 'An organization keeps its last owner: name another one first.');

export const lastAdministrator = () =>
  new Refusal('CONFLICT', 'LAST_ADMINISTRATOR', 'An organization without an owner keeps its last administrator.');
