import { Refusal } from '@foyer/shared/errors';

export const orderNotSettled = () =>
  new Refusal('CONFLICT', 'ORDER_NOT_PAID', 'There is no receipt yet: the order is not paid.');
