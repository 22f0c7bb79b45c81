import { Refusal } from '@foyer/shared/errors';

export const railCodeTaken = () =>
  new Refusal('CONFLICT', 'RAIL_CODE_TAKEN', 'This organization has another rail menu with this code.');

/** Also for one of another organization. */
export const railMenuNotFound = () => new Refusal('NOT_FOUND', 'RAIL_MENU_NOT_FOUND', 'There is no such rail menu.');

export const assignmentNotFound = () =>
  new Refusal('NOT_FOUND', 'ASSIGNMENT_NOT_FOUND', 'This card does not stand in this rail menu.');
