import { Eta } from 'eta';
import { z } from 'zod';

/** The content of an e-mail: everything that identity tells people by e-mail. */
export const MailContent = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('invitation'),
    name: z.string(),
    organization: z.string(),
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

/** The parts of every e-mail, in reading order. */
interface Parts {
  subject: string;
  greeting: string;
  paragraphs: string[];
  /** Facts to copy: a label and a value. */
  facts: [label: string, value: string][];
  action?: { label: string; url: string };
  ending: string;
}

const unexpected = 'If you did not expect this e-mail, you can leave it unanswered: nothing happens.';

/** One view per content type: HTML is escaped, plain text is not. */
const html = new Eta({ views: import.meta.dirname, cache: true, autoEscape: true });
const text = new Eta({ views: import.meta.dirname, cache: true, autoEscape: false });

/** Renders an e-mail. */
export function renderMail(content: MailContent) {
  const parts = { action: undefined, ...partsOf(content) };
  return {
    subject: parts.subject,
    text: text.render('mail.text.eta', parts),
    html: html.render('mail.html.eta', parts),
  };
}

type Of<Kind> = Extract<MailContent, { kind: Kind }>;

function partsOf(content: MailContent): Parts {
  if (content.kind === 'invitation') return invitation(content);
  if (content.kind === 'password-reset') return passwordReset(content);
  if (content.kind === 'temporary-password') return temporaryPassword(content);
  return verificationCode(content);
}

const invitation = ({ name, organization, username, url, minutes }: Of<'invitation'>): Parts => ({
  subject: `You are invited to ${organization}`,
  greeting: `Hello ${name},`,
  paragraphs: [
    `You are invited to ${organization}. Open the link to sign in for the first time, and choose a password.`,
    `The link works once, for ${minutes} minutes. Later, ask for another invitation.`,
  ],
  facts: [['Your user name', username]],
  action: { label: 'Accept the invitation', url },
  ending: unexpected,
});

const passwordReset = ({ name, organization, url, minutes }: Of<'password-reset'>): Parts => ({
  subject: 'Choose a new password',
  greeting: `Hello ${name},`,
  paragraphs: [
    `Somebody, probably you, asked for a new password at ${organization}.`,
    `The link works once, for ${minutes} minutes. A new password signs you out everywhere.`,
  ],
  facts: [],
  action: { label: 'Choose a new password', url },
  ending: unexpected,
});

const temporaryPassword = (content: Of<'temporary-password'>): Parts => ({
  subject: `${content.organization} is approved`,
  greeting: `Hello ${content.name},`,
  paragraphs: [
    `${content.organization} is approved, and you administer it.`,
    'Sign in with the temporary password, and choose one of your own.',
  ],
  facts: [
    ['Company code', content.companyCode],
    ['Your user name', content.username],
    ['Temporary password', content.password],
  ],
  action: { label: 'Sign in', url: content.url },
  ending: 'Nobody will ever ask you for this password.',
});

const verificationCode = ({ code, minutes }: Of<'verification-code'>): Parts => ({
  subject: `${code} is your code`,
  greeting: 'Hello,',
  paragraphs: [`This code proves that the address is yours. It is valid for ${minutes} minutes.`],
  facts: [['Your code', code]],
  ending: unexpected,
});
