import { httpStatusOf, Refusal } from '@foyer/shared/errors';

/** Whether the provider refused, rather than not answering or answering something unusable. */
export const providerRefused = (error: unknown): boolean => error instanceof Refusal && httpStatusOf[error.code] < 500;
