import { expect } from 'vitest';

/** A UUID, as text. */
export const uuid = expect.stringMatching(/^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/);
/** An RFC 3339 timestamp. */
export const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/);
export const text = expect.any(String);
/** Text that says something. */
export const words = expect.stringMatching(/\S/);
export const truth = expect.any(Boolean);

/** Whether a value is an unsigned integer, as a JSON number. */
export const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
