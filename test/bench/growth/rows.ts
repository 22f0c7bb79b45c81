/** The statements that add rows to a table: `$1` is how many there are already, `$2` how many there are to be. */
export interface Rows {
  table: string;
  insert: string;
  /** What triggers would have written for those rows. */
  afterwards?: string;
}
