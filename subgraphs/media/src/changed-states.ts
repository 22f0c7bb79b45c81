/**
 * Remembers the status of rows between reads: returns those that are new or have another status than at the read before,
 * and first null, if one that was there is not any more.
 */
export function changedStates<Row extends { status: string }>(keyOf: (row: Row) => string | number) {
  let told = new Map<string | number, string>();
  return (rows: readonly Row[]): (Row | null)[] => {
    const before = told;
    told = new Map(rows.map((row) => [keyOf(row), row.status]));
    const isOneGone = [...before.keys()].some((key) => !told.has(key));
    return [...(isOneGone ? [null] : []), ...rows.filter((row) => before.get(keyOf(row)) !== row.status)];
  };
}
