import type { Language } from './language.ts';
import { bm } from './words/bm.ts';
import { cn } from './words/cn.ts';
import { en } from './words/en.ts';

/** What a form asks for. */
export type Asked =
  | 'companyCode'
  | 'username'
  | 'password'
  | 'currentPassword'
  | 'newPassword'
  | 'email'
  | 'code'
  | 'organizationName'
  | 'givenName'
  | 'familyName'
  | 'phone'
  | 'website';

/** The refusals that a person at these pages can meet (docs/errors.md). */
type Refused =
  | 'INVALID_CREDENTIALS'
  | 'COMPANY_CODE_REQUIRED'
  | 'ORG_PENDING'
  | 'ORG_DISABLED'
  | 'ACCOUNT_DISABLED'
  | 'ACCOUNT_PENDING'
  | 'ACCOUNT_INVITED'
  | 'LICENSE_EXPIRED'
  | 'RATE_LIMITED'
  | 'CURRENT_PASSWORD_REQUIRED'
  | 'PASSWORD_TOO_SIMPLE'
  | 'PASSWORD_UNCHANGED'
  | 'PASSWORD_RESET_INVALID'
  | 'CUSTOMER_LINK_INVALID'
  | 'MAGIC_LINK_INVALID'
  | 'MAGIC_LINK_EXPIRED'
  | 'SIGNUP_CODE_INVALID'
  | 'COMPANY_CODE_TAKEN'
  | 'ORGANIZATION_NAME_TAKEN'
  | 'EMAIL_TAKEN'
  | 'USERNAME_TAKEN'
  | 'VALIDATION_FAILED'
  | 'FOREIGN_ORIGIN'
  | 'UNAUTHENTICATED'
  | 'SESSION_NOT_FOUND'
  | 'BUSY'
  | 'IDENTITY_PROVIDER_DOWN'
  | 'REVOCATION_UNKNOWN'
  | 'SUBGRAPH_UNAVAILABLE'
  | 'SUBGRAPH_TIMEOUT'
  | 'DATABASE_BUSY';

/** Everything the login app says. */
export interface Words {
  labels: Record<Asked, string>;
  language: string;
  skip: string;
  show: string;
  backToSignIn: string;
  signIn: Record<
    'title' | 'lead' | 'submit' | 'forgot' | 'signUp' | 'strangeRedirect' | 'ended' | 'passwordChosen',
    string
  >;
  password: Record<'title' | 'forced' | 'lead' | 'submit', string>;
  magicLink: Record<'title' | 'submit' | 'refusedTitle', string> & {
    lead(organization: string, username: string): string;
  };
  forgot: Record<'title' | 'lead' | 'submit' | 'sentTitle' | 'sent', string>;
  reset: Record<'title' | 'lead' | 'submit', string>;
  account: { verify: Record<'title' | 'lead' | 'submit', string> } & Record<'readyTitle' | 'ready', string>;
  signUp: Record<'title' | 'lead' | 'submitEmail' | 'submit' | 'doneTitle', string> & {
    codeLead(email: string): string;
    done(organization: string): string;
  };
  devices: Record<
    'title' | 'device' | 'address' | 'lastUsed' | 'here' | 'end' | 'endOthers' | 'signOut' | 'changePassword' | 'ended',
    string
  > & { lead(email: string): string };
  rules: Record<'title' | 'uppercase' | 'lowercase' | 'number' | 'symbol', string> & {
    minLength(length: number): string;
  };
  wait(minutes: number): string;
  refusals: Record<Refused, string>;
  trouble: string;
}

const byLanguage: Record<Language, Words> = { bm, en, cn };

export const wordsIn = (language: Language): Words => byLanguage[language];

/** What a refusal says to a person; its own English sentence when we have no better one. */
export function refusalWords(words: Words, { code, message }: { code: string; message: string }): string {
  return code in words.refusals ? words.refusals[code as Refused] : message;
}
