import { Refusal } from '@foyer/shared/errors';

/** What is promised is kept. */
export const capacityBelowReserved = (date: string, reserved: number) =>
  new Refusal('CONFLICT', 'CAPACITY_BELOW_RESERVED', `On ${date} more is promised already.`, { date, reserved });
