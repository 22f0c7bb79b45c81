/** From which time on a statement is worth preparing: most statements of a start are sent once. */
const PREPARED_FROM = 5;
/** How many statements each connection keeps prepared. */
const MOST_PREPARED = 256;
/** How many statements are counted; lists of varying lengths make new texts all the time. */
const MOST_COUNTED = 2_048;

/**
 * Names the statements that are sent often, so that PostgreSQL parses and plans them once for each connection instead of
 * each time. A name is never used for another text; statements without one are sent as before.
 */
export function statementNames(): (query: { sql: string }) => string {
  const counts = new Map<string, number>();
  const names = new Map<string, string>();

  return ({ sql }) => {
    const name = names.get(sql);
    if (name !== undefined || names.size >= MOST_PREPARED) return name ?? '';
    const count = (counts.get(sql) ?? 0) + 1;
    if (count < PREPARED_FROM) {
      if (counts.size >= MOST_COUNTED) counts.clear();
      counts.set(sql, count);
      return '';
    }
    counts.delete(sql);
    const given = `foyer_${names.size}`;
    names.set(sql, given);
    return given;
  };
}
