/** Money is counted in sen (1 MYR = 100 sen), as whole numbers; ringgit exist only at the edge. */

/** @returns ringgit with two decimals, as a JSON number */
export const ringgit = (sen: bigint): number => Number(sen) / 100;

/** @returns ringgit as the gateway writes them: `100.00` */
export const ringgitText = (sen: bigint): string => `${sen / 100n}.${String(sen % 100n).padStart(2, '0')}`;

/** @returns sen, or null when it is not an amount of ringgit with at most two decimals */
export function senOf(amount: number): bigint | null {
  const sen = Math.round(amount * 100);
  const isAmount = Number.isSafeInteger(sen) && amount >= 0 && Math.abs(amount * 100 - sen) < 1e-6;
  return isAmount ? BigInt(sen) : null;
}

/** @returns sen, or null for anything but ringgit with exactly two decimals: `100.00` */
export function senOfText(text: string): bigint | null {
  return /^(0|[1-9]\d{0,12})\.\d\d$/.test(text) ? BigInt(text.replace('.', '')) : null;
}
