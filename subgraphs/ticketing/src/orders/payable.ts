import { ringgitText } from '../units/money.ts';
import { amountOutOfRange, useFreeRoute } from './refusals.ts';

/** The amounts that banks accept in one payment, in sen, from individuals (01) and from companies (02). */
const ranges = {
  '01': { least: 1_00n, most: 30_000_00n },
  '02': { least: 2_00n, most: 1_000_000_00n },
};

type MsgToken = keyof typeof ranges;

const takes = (msgToken: MsgToken, totalSen: bigint) =>
  ranges[msgToken].least <= totalSen && totalSen <= ranges[msgToken].most;

/**
 * Checks that a total can be paid, and by whom. The buyer chooses at the bank; until then the payer is an individual,
 * unless only a company can pay so much.
 *
 * @param totalSen in sen
 * @param wanted the payer that the client chose; null for none
 * @param facts more for the client, when it is refused
 * @throws {Refusal} `USE_FREE_ROUTE` or `AMOUNT_OUT_OF_RANGE`
 */
export function checkPayable(totalSen: bigint, wanted: MsgToken | null, facts: object = {}): MsgToken {
  if (totalSen === 0n) throw useFreeRoute();
  const payers: readonly MsgToken[] = wanted ? [wanted] : ['01', '02'];
  const payer = payers.find((msgToken) => takes(msgToken, totalSen));
  if (payer) return payer;
  const { least, most } = wanted ? ranges[wanted] : { least: ranges['01'].least, most: ranges['02'].most };
  throw amountOutOfRange(ringgitText(least), ringgitText(most), facts);
}
