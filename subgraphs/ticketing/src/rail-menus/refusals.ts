import { Refusal } from '@foyer/shared/errors';

export const railCodeTaken = () =>
  new Refusal('CONFLICT', 'RAIL_CODE_TAKEN', 'This organization has another rail menu with this code.');
