import { ConfigError } from '@foyer/shared/config/config';

import { oneLineOf } from '../operator/one-line.ts';

/** The result of one check. */
export interface Finding {
  part: string;
  state: 'ok' | 'warning' | 'failed' | 'skipped';
  found: string;
  /** How to repair it. */
  cure?: string;
}

export const ok = (part: string, found: string): Finding => ({ part, state: 'ok', found });
export const failed = (part: string, found: string, cure: string): Finding => ({ part, state: 'failed', found, cure });
export const warning = (part: string, found: string, cure: string): Finding => ({
  part,
  state: 'warning',
  found,
  cure,
});
export const skipped = (part: string, found: string): Finding => ({ part, state: 'skipped', found });

/** A check, and the part that it is about, in case it throws. */
export type Check = [part: string, check: () => Finding | Finding[] | Promise<Finding | Finding[]>];

/** How long an external service may take to answer. */
export const TIMEOUT_MS = 5_000;

/** Returns the message of the innermost cause, in one line. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof ConfigError) return error.problems.join('; ');
  if (error.cause instanceof Error) return reasonOf(error.cause);
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  return oneLineOf(error.message || (error as NodeJS.ErrnoException).code || error.name);
}
