/** The languages of pages and mails, as the documents call them: Malay, English, Chinese. */
export const languages = ['bm', 'en', 'cn'] as const;
export type Language = (typeof languages)[number];

/** Their BCP 47 tags, for browsers, screen readers and mail programs. */
export const tagOf = { bm: 'ms', en: 'en', cn: 'zh-Hans' } as const satisfies Record<Language, string>;

/** A Map, because in an object `constructor` would be a language. */
const byTag = new Map<string, Language>(languages.map((language) => [tagOf[language].split('-')[0] ?? '', language]));

const LONGEST = 500;

/** The first of our languages in `Accept-Language` (RFC 9110 section 12.5.4): browsers list their preferences in order. */
export function acceptedLanguage(header = ''): Language | undefined {
  const tags = header
    .slice(0, LONGEST)
    .split(',')
    .map((part) => part.trim().split(/[-;]/, 1)[0]?.toLowerCase() ?? '');
  return tags.map((tag) => byTag.get(tag)).find(Boolean);
}

/** The cookie with the language that a person has chosen: pages write it, and so do scripts of the shop. */
export const LANGUAGE_COOKIE = 'foyer_language';

const inCookies = new RegExp(`(?:^|;\\s*)${LANGUAGE_COOKIE}=(${languages.join('|')})(?:;|$)`);

/** The language of a browser: the one that was chosen before, or else the first one of ours that it asks for. */
export const browserLanguage = ({ cookie = '', 'accept-language': accepted }: BrowserHeaders): Language | undefined =>
  (inCookies.exec(cookie)?.[1] as Language | undefined) ?? acceptedLanguage(accepted);

interface BrowserHeaders {
  cookie?: string | undefined;
  'accept-language'?: string | undefined;
}
