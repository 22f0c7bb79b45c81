import { Refusal } from '@foyer/shared/errors';

export const exportExpired = () =>
  new Refusal('NOT_FOUND', 'EXPORT_NOT_FOUND', 'There is no such export, or its link is too old: ask for a new one.');
