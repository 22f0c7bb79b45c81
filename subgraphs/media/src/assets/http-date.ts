const form =
  /^(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?(?:, \d\d[ -][A-Z][a-z]{2}[ -](?:\d\d){1,2} \d\d:\d\d:\d\d GMT| [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4})$/;

/**
 * Reads a date of a header, in any of the three forms of RFC 9110 section 5.6.7.
 *
 * @returns milliseconds since 1970; null for anything else
 */
export function readHttpDate(text: string | undefined): number | null {
  if (text === undefined || !form.test(text)) return null;
  const at = Date.parse(text.endsWith(' GMT') ? text : `${text} GMT`); // the form of asctime names no zone
  return Number.isNaN(at) ? null : at;
}
