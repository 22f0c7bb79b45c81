import { Eta } from 'eta';

import type { Language } from '../units/language.ts';
import { letterWords, type LetterKind } from './letter-words.ts';

const html = new Eta({ views: import.meta.dirname, cache: true, autoEscape: true });
const text = new Eta({ views: import.meta.dirname, cache: true, autoEscape: false });

/** Renders a mail to a customer about their account. */
export function customerLetter(kind: LetterKind, language: Language, { name, url }: { name: string; url: string }) {
  const words = letterWords[language];
  const letter = { words, ...words.letters[kind], name, url };
  return {
    subject: letter.subject,
    text: text.render('customer-letter.text.eta', letter),
    html: html.render('customer-letter.html.eta', letter),
  };
}
