import { Refusal } from '@foyer/shared/errors';

export const unknownRole = (role: string) =>
  new Refusal('BAD_USER_INPUT', 'UNKNOWN_ROLE', 'There is no such role here.', { role });

export const roleAboveOwn = () => new Refusal('FORBIDDEN', 'ROLE_ABOVE_OWN', 'This role is above your own.');
