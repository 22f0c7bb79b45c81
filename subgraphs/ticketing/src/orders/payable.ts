import { ringgitText } from '../money.ts';
import { amountOutOfRange, useFreeRoute } from './refusals.ts';

/** What banks take in one payment, in sen: by individuals (01) and by companies (02). */
const ranges = {
  '01': { least: 1_00n, most: 30_000_00n },
  '02': { least: 2_00n, most: 1_000_000_00n },
};

/**
 * Whether a total can be paid.
 *
 * @param totalSen in sen
 * @throws {Refusal} `USE_FREE_ROUTE` or `AMOUNT_OUT_OF_RANGE`
 */
export function checkPayable(totalSen: bigint, msgToken: '01' | '02'): void {
  if (totalSen === 0n) throw useFreeRoute();
  const { least, most } = ranges[msgToken];
  if (totalSen < least || totalSen > most) throw amountOutOfRange(ringgitText(least), ringgitText(most));
}
