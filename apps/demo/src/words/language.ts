import { createContext, useContext, useSyncExternalStore } from 'react';

import { stored } from '../storage.ts';
import { bm } from './bm.ts';
import { cn } from './cn.ts';
import { en, type Words } from './en.ts';
import { languages, type Language } from './languages.ts';

export { languages, type Language } from './languages.ts';

export const tags: Record<Language, string> = { bm: 'ms', en: 'en', cn: 'zh-Hans' };

const words: Record<Language, Words> = { bm, en, cn };
export const isLanguage = (value: unknown): value is Language =>
  typeof value === 'string' && Object.hasOwn(languages, value);

const YEAR_SECONDS = 365 * 86_400;
const chosen = stored('language', isLanguage);

/** The language that was chosen on a page of the server, such as the sign-in, or here: both keep it in this cookie. */
const inCookie = (): Language | undefined => {
  const [, value] = /(?:^|; )foyer_language=(\w+)/.exec(document.cookie) ?? [];
  return isLanguage(value) ? value : undefined;
};

export function chooseLanguage(language: Language): void {
  const secure = window.location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `foyer_language=${language}; Max-Age=${YEAR_SECONDS}; Path=/; SameSite=Lax${secure}`;
  chosen.write(language);
}

/** Indonesian and Malay are close enough to be read by speakers of either. */
const spoken: Record<string, Language> = { ms: 'bm', id: 'bm', en: 'en', zh: 'cn' };

/** The language that was chosen here before, or else the first one of the browser that we speak. */
function currentLanguage(): Language {
  const known = inCookie() ?? chosen.read();
  if (known) return known;
  const ofBrowser = navigator.languages.flatMap((tag) => spoken[tag.toLowerCase().split('-')[0] ?? ''] ?? []);
  return ofBrowser[0] ?? 'en';
}

export const useChosenLanguage = () => useSyncExternalStore(chosen.watch, currentLanguage);

export const LanguageContext = createContext<Language>('en');
export const useLanguage = (): Language => useContext(LanguageContext);
export const useWords = (): Words => words[useLanguage()];
export const wordsIn = (language: Language): Words => words[language];

/** Puts values into a text: `{name}`. */
export const say = (text: string, values: Record<string, string | number>): string =>
  text.replaceAll(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));

const endings = { bm: 'Bm', en: 'En', cn: 'Cn' } as const;

/** `groupName` of something that has groupNameBm, groupNameEn and groupNameCn; in English where a language is blank. */
export function inLanguage<Field extends string>(
  language: Language,
  thing: Record<`${Field}${(typeof endings)[Language]}`, string>,
  field: Field,
): string {
  return thing[`${field}${endings[language]}`].trim() || thing[`${field}En`].trim();
}

/** `RM 45.00`, or that it is free. */
export function useMoney(): (ringgit: number) => string {
  const words = useWords();
  const tag = tags[useLanguage()];
  const format = new Intl.NumberFormat(tag, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  return (ringgit) => (ringgit === 0 ? words.free : `RM ${format.format(ringgit)}`);
}

/** A day, YYYY-MM-DD, as people in Malaysia write it. */
export function useDay(): (day: string, style?: Intl.DateTimeFormatOptions) => string {
  const language = useLanguage();
  const tag = language === 'en' ? 'en-MY' : tags[language];
  return (day, style = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }) =>
    new Intl.DateTimeFormat(tag, { ...style, timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`));
}
