const LARGEST = 2 ** 31 - 1;

/** The number behind an id of GraphQL or of a path; what is none becomes 0, the id of nothing. */
export function rowId(id: string): number {
  const number = /^\d{1,10}$/.test(id) ? Number(id) : 0;
  return number <= LARGEST ? number : 0;
}
