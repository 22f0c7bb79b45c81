/** The languages of the login app, as the documents call them: Malay, English, Chinese. */
export const languages = ['bm', 'en', 'cn'] as const;
export type Language = (typeof languages)[number];

/** Their BCP 47 tags, for browsers and screen readers. */
export const tagOf = { bm: 'ms', en: 'en', cn: 'zh-Hans' } as const satisfies Record<Language, string>;

/** Their names in the language switch. */
export const nameOf = { bm: 'Bahasa Melayu', en: 'English', cn: '中文' } as const satisfies Record<Language, string>;

/** A Map, because in an object `constructor` would be a language. */
const byTag = new Map<string, Language>(languages.map((language) => [tagOf[language].split('-')[0] ?? '', language]));

/**
 * Returns the language of a page: the one in the request, or the one chosen before, or the first known one of the
 * browser's `Accept-Language`, or English.
 */
export function languageOf(requested: unknown, chosen: string | undefined, accepted = ''): Language {
  const known = [requested, chosen].find(isLanguage);
  return known ?? firstAccepted(accepted) ?? 'en';
}

export const isLanguage = (given: unknown): given is Language => languages.includes(given as Language);

/** RFC 9110 section 12.5.4; browsers list their preferences in order. */
function firstAccepted(header: string): Language | undefined {
  const tags = header
    .slice(0, 500)
    .split(',')
    .map((part) => part.trim().split(/[-;]/, 1)[0]?.toLowerCase() ?? '');
  return tags.map((tag) => byTag.get(tag)).find(Boolean);
}
