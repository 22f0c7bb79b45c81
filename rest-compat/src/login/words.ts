import type { Language } from '@foyer/shared/http/language';
import { bm } from './words/bm.ts';
import { cn } from './words/cn.ts';
import { en } from './words/en.ts';
import type { Reason, Words } from './words/words.ts';

const byLanguage: Record<Language, Words> = { bm, en, cn };

export const wordsIn = (language: Language): Words => byLanguage[language];

/** Returns the text for a refusal in the language of the page, or its English message if there is none. */
export function refusalWords(words: Words, { code, message }: { code: string; message: string }): string {
  return code in words.refusals ? words.refusals[code as Reason] : message;
}
