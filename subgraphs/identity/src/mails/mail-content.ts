import { tagOf, type Language } from '@foyer/shared/http/language';
import { Eta } from 'eta';
import { z } from 'zod';

import { wordsOf, type Words } from './words.ts';

/** The content of an e-mail: everything that identity tells people by e-mail. */
export const MailContent = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('invitation'),
    name: z.string(),
    organization: z.string(),
    /** Empty for mails that were queued before the code was in them. */
    companyCode: z.string().default(''),
    username: z.string(),
    url: z.string(),
    minutes: z.number(),
  }),
  z.object({
    kind: z.literal('password-reset'),
    name: z.string(),
    organization: z.string(),
    url: z.string(),
    minutes: z.number(),
  }),
  z.object({
    kind: z.literal('temporary-password'),
    name: z.string(),
    organization: z.string(),
    username: z.string(),
    companyCode: z.string(),
    password: z.string(),
    url: z.string(),
  }),
  z.object({ kind: z.literal('verification-code'), code: z.string(), minutes: z.number() }),
]);

export type MailContent = z.infer<typeof MailContent>;

type Fact = [label: string, value: string];

/** The parts of every e-mail, in reading order. */
interface Parts {
  subject: string;
  greeting: string;
  paragraphs: string[];
  /** Facts to copy. */
  facts: Fact[];
  action?: { label: string; url: string };
  ending: string;
}

/** One view per content type: HTML is escaped, plain text is not. */
const html = new Eta({ views: import.meta.dirname, cache: true, autoEscape: true });
const text = new Eta({ views: import.meta.dirname, cache: true, autoEscape: false });

/** Renders an e-mail in the language of the page that caused it. */
export function renderMail(content: MailContent, language: Language) {
  const parts = { lang: tagOf[language], action: undefined, ...partsOf(content, wordsOf[language]) };
  return {
    subject: parts.subject,
    text: text.render('mail.text.eta', parts),
    html: html.render('mail.html.eta', parts),
  };
}

type Of<Kind> = Extract<MailContent, { kind: Kind }>;

function partsOf(content: MailContent, words: Words): Parts {
  if (content.kind === 'invitation') return invitation(content, words);
  if (content.kind === 'password-reset') return passwordReset(content, words);
  if (content.kind === 'temporary-password') return temporaryPassword(content, words);
  return verificationCode(content, words);
}

function invitation(content: Of<'invitation'>, words: Words): Parts {
  const { name, organization, companyCode, username, url, minutes } = content;
  const { facts, actions } = words;
  return {
    ...words.invitation(organization, minutes),
    greeting: words.greeting(name),
    facts: [...(companyCode ? [[facts.companyCode, companyCode] as Fact] : []), [facts.username, username]],
    action: { label: actions.accept, url },
    ending: words.unexpected,
  };
}

const passwordReset = ({ name, organization, url, minutes }: Of<'password-reset'>, words: Words): Parts => ({
  ...words.passwordReset(organization, minutes),
  greeting: words.greeting(name),
  facts: [],
  action: { label: words.actions.choosePassword, url },
  ending: words.unexpected,
});

const temporaryPassword = (content: Of<'temporary-password'>, words: Words): Parts => ({
  ...words.approved(content.organization),
  greeting: words.greeting(content.name),
  facts: [
    [words.facts.companyCode, content.companyCode],
    [words.facts.username, content.username],
    [words.facts.password, content.password],
  ],
  action: { label: words.actions.login, url: content.url },
  ending: words.neverAsked,
});

const verificationCode = ({ code, minutes }: Of<'verification-code'>, words: Words): Parts => ({
  ...words.code(code, minutes),
  greeting: words.greetingToAnybody,
  facts: [[words.facts.code, code]],
  ending: words.unexpected,
});
