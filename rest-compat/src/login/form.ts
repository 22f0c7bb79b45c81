import type { PasswordRulesQuery } from '../generated/operations.ts';
import type { PageContext, Refused } from './page-context.ts';
import type { FieldName } from './words/words.ts';

/** How a browser helps with a field (HTML, "Autofill"). */
const kinds: Record<FieldName, { type?: string; autocomplete: string; inputmode?: string; optional?: true }> = {
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
  /** A message about what happened before. */
  notice?: string | undefined;
  /** Where the form is posted. */
  action: string;
  fields?: readonly FieldName[];
  /** Hidden fields. */
  hidden?: Record<string, string>;
  /** Checked while the user types. */
  rules?: PasswordRulesQuery['passwordRules'];
  submit: string;
  links?: readonly { href: string; text: string }[];
}

/** Shows a form; after a refusal with its text and what was typed, except passwords. */
export function showForm(context: PageContext, form: Form, refused?: Refused) {
  const { words, params, redirectUri } = context;
  const fields = (form.fields ?? []).map((name, index) => {
    const { type = 'text', optional, ...rest } = kinds[name];
    return {
      name,
      type,
      ...rest,
      label: words.labels[name],
      required: !optional,
      value: type === 'password' ? '' : (params[name] ?? ''),
      wrong: refused?.fields.includes(name) ?? false,
      first: index === 0,
    };
  });
  const hidden = { ...form.hidden, ...(redirectUri && { redirect_uri: redirectUri }) };
  return context.show(
    'form.eta',
    { ...form, fields, hidden: Object.entries(hidden), rules: ruleWords(context, form) },
    refused,
  );
}

function ruleWords({ words }: PageContext, { rules }: Form) {
  if (!rules) return [];
  const { minLength, ...kindsOfCharacters } = rules;
  const needed = Object.entries(kindsOfCharacters).filter(([, isNeeded]) => isNeeded);
  return [
    { rule: 'minLength', least: minLength, text: words.rules.minLength(minLength) },
    ...needed.map(([rule]) => ({ rule, least: 1, text: words.rules[rule as 'uppercase'] })),
  ];
}

/** The link back to the login, at the foot of a page. */
export const backToLogin = ({ words, link }: PageContext) => [{ href: link('/login'), text: words.backToLogin }];
