import { Eta } from 'eta';

import { inLanguage } from '../links/in-language.ts';
import type { Language } from '../units/language.ts';
import { mailWords, type MailKind } from './mail-words.ts';

const html = new Eta({ views: import.meta.dirname, cache: true, autoEscape: true });
const text = new Eta({ views: import.meta.dirname, cache: true, autoEscape: false });

/** Renders a mail to a customer about their account. */
export function customerMail(kind: MailKind, language: Language, { name, url }: { name: string; url: string }) {
  const words = mailWords[language];
  const parts = { words, ...words.mails[kind], name, url: inLanguage(url, language) };
  return {
    subject: parts.subject,
    text: text.render('customer-mail.text.eta', parts),
    html: html.render('customer-mail.html.eta', parts),
  };
}
