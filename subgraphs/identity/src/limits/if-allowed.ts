import { Refusal } from '@foyer/shared/errors';

import type { LimitRule, Limits } from './limits.ts';

/**
 * Does something unless the limit is reached, for callers who do not report that; what fails is not counted.
 *
 * @throws what `run` throws
 */
export async function ifAllowed(
  limits: Pick<Limits, 'take'>,
  rule: LimitRule,
  subject: string,
  run: () => Promise<void>,
): Promise<void> {
  const counted = await limits.take(rule, subject).catch((error: unknown) => {
    if (error instanceof Refusal) return null;
    throw error;
  });
  if (!counted) return;
  try {
    await run();
  } catch (error) {
    await counted.giveBack();
    throw error;
  }
}
