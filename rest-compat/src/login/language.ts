/** The languages of the login app, as the documents call them: Malay, English, Chinese. */
export const languages = ['bm', 'en', 'cn'] as const;
export type Language = (typeof languages)[number];

/** BCP 47: what a browser and a screen reader call them. */
export const tagOf = { bm: 'ms', en: 'en', cn: 'zh-Hans' } as const satisfies Record<Language, string>;

/** What the switch between them says. */
export const nameOf = { bm: 'Bahasa Melayu', en: 'English', cn: '中文' } as const satisfies Record<Language, string>;

/** A map: in an object, `constructor` would be a language. */
const byTag = new Map<string, Language>(languages.map((language) => [tagOf[language].split('-')[0] ?? '', language]));

/**
 * The language of a page: the one asked for, or the one chosen before, or the first that the browser's
 * `Accept-Language` names and we speak, or English.
 */
export function languageOf(asked: unknown, chosen: string | undefined, accepted = ''): Language {
  const known = [asked, chosen].find(isLanguage);
  return known ?? firstAccepted(accepted) ?? 'en';
}

export const isLanguage = (given: unknown): given is Language => languages.includes(given as Language);

/** RFC 9110 section 12.5.4; browsers write what they like best first. */
function firstAccepted(header: string): Language | undefined {
  const tags = header
    .slice(0, 500)
    .split(',')
    .map((part) => part.trim().split(/[-;]/, 1)[0]?.toLowerCase() ?? '');
  return tags.map((tag) => byTag.get(tag)).find(Boolean);
}
