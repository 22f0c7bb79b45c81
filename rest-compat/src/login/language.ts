import { acceptedLanguage, languages, type Language } from '@foyer/shared/http/language';

/** The names of the languages in the language switch. */
export const nameOf = { bm: 'Bahasa Melayu', en: 'English', cn: '中文' } as const satisfies Record<Language, string>;

/**
 * Returns the language of a page: the one in the request, or the one chosen before, or the first known one of the
 * browser's `Accept-Language`, or English.
 */
export function languageOf(requested: unknown, chosen: string | undefined, accepted = ''): Language {
  const known = [requested, chosen].find(isLanguage);
  return known ?? acceptedLanguage(accepted) ?? 'en';
}

export const isLanguage = (given: unknown): given is Language => languages.includes(given as Language);
