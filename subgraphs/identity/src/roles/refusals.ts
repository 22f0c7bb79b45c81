import { badInput, Refusal } from '@foyer/shared/errors';

/** Also for one of another organization. */
export const roleNotFound = () =>
  new Refusal('NOT_FOUND', 'ROLE_NOT_FOUND', 'There is no such role in this organization.');

export const systemRole = () => new Refusal('FORBIDDEN', 'SYSTEM_ROLE', 'A seeded role can not be changed.');

export const roleNameTaken = () =>
  new Refusal('CONFLICT', 'ROLE_NAME_TAKEN', 'Another role of this organization has this name.');

export const roleInUse = (holders: number) =>
  new Refusal('CONFLICT', 'ROLE_IN_USE', 'There are people with this role: give them another one first.', { holders });

export const customScope = () =>
  badInput([{ path: 'scope', message: 'A custom role is held in the organization or in workspaces.' }]);

export const tooManyPermissions = () =>
  badInput([{ path: 'permissions', message: 'At most 200 permissions of 1 to 200 characters.' }]);
