/** The languages of tickets, receipts and mails, as `langChosen` names them. */
export type Language = 'bm' | 'en' | 'cn';

/** The languages as clients write them. */
const languages = new Map<string, Language>([
  ['bm', 'bm'],
  ['ms', 'bm'],
  ['en', 'en'],
  ['cn', 'cn'],
  ['zh', 'cn'],
]);

/**
 * Reads a language as a client wrote it; no language is BM.
 *
 * @returns null for a language that tickets are not printed in
 */
export const languageOf = (text: string | null | undefined): Language | null =>
  text ? (languages.get(text.toLowerCase()) ?? null) : 'bm';
