import type { LimitRule, Limits } from './limits.ts';

/**
 * Does something unless the limit is reached, for callers who do not report that; what fails is not counted.
 *
 * @throws what `run` throws
 */
export async function ifAllowed(
  limits: Pick<Limits, 'tryTake'>,
  rule: LimitRule,
  subject: string,
  run: () => Promise<void>,
): Promise<void> {
  const counted = await limits.tryTake(rule, subject);
  if (!counted) return;
  try {
    await run();
  } catch (error) {
    await counted.giveBack();
    throw error;
  }
}
