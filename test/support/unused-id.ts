/** A number that no record has as its id. */
export const UNUSED_ID = '1999999999';
