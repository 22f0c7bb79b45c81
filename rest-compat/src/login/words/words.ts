/** The fields of all forms. */
export type FieldName =
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

/** The reasons of refusals that these pages explain (docs/errors.md). */
export type Reason =
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
  | 'PASSWORD_TOO_LONG'
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

/** All texts of the login app. */
export interface Words {
  labels: Record<FieldName, string>;
  language: string;
  skip: string;
  show: string;
  backToLogin: string;
  login: Record<
    'title' | 'lead' | 'submit' | 'forgot' | 'signUp' | 'strangeRedirect' | 'ended' | 'passwordChosen' | 'noPassword',
    string
  >;
  password: Record<'title' | 'forced' | 'lead' | 'submit', string>;
  magicLink: Record<'title' | 'submit' | 'refusedTitle', string> & {
    lead(organization: string, username: string, companyCode: string): string;
  };
  forgot: Record<'title' | 'lead' | 'submit' | 'sentTitle' | 'sent', string>;
  reset: Record<'title' | 'lead' | 'submit', string>;
  account: { verify: Record<'title' | 'lead' | 'submit', string> } & Record<'readyTitle' | 'ready' | 'toShop', string>;
  signUp: Record<'title' | 'lead' | 'submitEmail' | 'submit' | 'doneTitle', string> & {
    codeLead(email: string): string;
    done(organization: string): string;
  };
  devices: Record<
    'title' | 'device' | 'address' | 'lastUsed' | 'here' | 'end' | 'endOthers' | 'logout' | 'changePassword' | 'ended',
    string
  > & { lead(email: string): string };
  rules: Record<'title' | 'uppercase' | 'lowercase' | 'number' | 'symbol', string> & {
    minLength(length: number): string;
  };
  wait(minutes: number): string;
  refusals: Record<Reason, string>;
  trouble: string;
}
