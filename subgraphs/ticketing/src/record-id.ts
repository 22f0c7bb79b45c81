const LARGEST_BIGINT = 2n ** 63n - 1n;

/**
 * Reads the number of a record.
 *
 * @returns null for what can be no record's number
 */
export function recordId(text: string | number): bigint | null {
  if (!/^\d{1,19}$/.test(String(text))) return null;
  const id = BigInt(text);
  return id > 0n && id <= LARGEST_BIGINT ? id : null;
}
