import { Refusal } from '@foyer/shared/errors';

export const processingRuns = () =>
  new Refusal('CONFLICT', 'PROCESSING_RUNS', 'This media is being processed: wait until that has ended.');

export const processingEnded = () =>
  new Refusal('CONFLICT', 'PROCESSING_ENDED', 'This media is not being processed: there is nothing to cancel.');
