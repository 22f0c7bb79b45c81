import type { Language } from '../units/language.ts';

/** A link to one of our pages, which opens in this language: that of the mail that has the link. */
export function inLanguage(url: string, language: Language): string {
  const address = new URL(url);
  address.searchParams.set('lang', language);
  return address.href;
}
