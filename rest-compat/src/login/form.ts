import type { PasswordRulesQuery } from '../generated/operations.ts';
import type { Desk, Refused } from './desk.ts';
import type { Asked } from './words.ts';

/** How a browser helps with a field (HTML, "Autofill"). */
const kinds: Record<Asked, { type?: string; autocomplete: string; inputmode?: string; optional?: true }> = {
  companyCode: { autocomplete: 'organization' },
  username: { autocomplete: 'username' },
  password: { type: 'password', autocomplete: 'current-password' },
  currentPassword: { type: 'password', autocomplete: 'current-password' },
  newPassword: { type: 'password', autocomplete: 'new-password' },
  email: { type: 'email', autocomplete: 'email' },
  code: { autocomplete: 'one-time-code', inputmode: 'numeric' },
  organizationName: { autocomplete: 'organization' },
  givenName: { autocomplete: 'given-name' },
  familyName: { autocomplete: 'family-name' },
  phone: { type: 'tel', autocomplete: 'tel', optional: true },
  website: { type: 'url', autocomplete: 'url', optional: true },
};

interface Form {
  title: string;
  lead?: string;
  /** A word on what happened before. */
  notice?: string | undefined;
  /** Where it is sent. */
  action: string;
  fields?: readonly Asked[];
  /** What travels along unseen. */
  hidden?: Record<string, string>;
  /** Checked as one types. */
  rules?: PasswordRulesQuery['passwordRules'];
  submit: string;
  links?: readonly { href: string; text: string }[];
}

/** Shows a form; after a refusal with what was typed, except passwords, and with what was wrong. */
export function showForm(desk: Desk, form: Form, refused?: Refused) {
  const { words, asked, redirectUri } = desk;
  const fields = (form.fields ?? []).map((name, index) => {
    const { type = 'text', optional, ...rest } = kinds[name];
    return {
      name,
      type,
      ...rest,
      label: words.labels[name],
      required: !optional,
      value: type === 'password' ? '' : (asked[name] ?? ''),
      wrong: refused?.fields.includes(name) ?? false,
      first: index === 0,
    };
  });
  const hidden = { ...form.hidden, ...(redirectUri && { redirect_uri: redirectUri }) };
  return desk.show(
    'form.eta',
    { ...form, fields, hidden: Object.entries(hidden), rules: ruleWords(desk, form) },
    refused,
  );
}

function ruleWords({ words }: Desk, { rules }: Form) {
  if (!rules) return [];
  const { minLength, ...kindsOfCharacters } = rules;
  const asked = Object.entries(kindsOfCharacters).filter(([, needed]) => needed);
  return [
    { rule: 'minLength', least: minLength, text: words.rules.minLength(minLength) },
    ...asked.map(([rule]) => ({ rule, least: 1, text: words.rules[rule as 'uppercase'] })),
  ];
}

/** The link at the foot of a page that leads back to the sign-in. */
export const backToSignIn = ({ words, link }: Desk) => [{ href: link('/login'), text: words.backToSignIn }];
