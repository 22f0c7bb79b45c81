import { Refusal } from '@foyer/shared/errors';

/** Also for unknown people and non-members: one answer for all three. */
export const invalidCredentials = (cause?: unknown) =>
  new Refusal('UNAUTHENTICATED', 'INVALID_CREDENTIALS', 'User name, password or company code is wrong.', { cause });

export const companyCodeRequired = () =>
  new Refusal(
    'BAD_USER_INPUT',
    'COMPANY_CODE_REQUIRED',
    'Say which organization to sign in to: the company code is missing.',
  );

export const organizationPending = () =>
  new Refusal('FORBIDDEN', 'ORG_PENDING', 'This organization has not been approved yet.');

export const organizationDisabled = () => new Refusal('FORBIDDEN', 'ORG_DISABLED', 'This organization is disabled.');

const accounts = {
  disabled: ['ACCOUNT_DISABLED', 'This account is disabled.'],
  pending: ['ACCOUNT_PENDING', 'This account has not been approved yet.'],
  invited: ['ACCOUNT_INVITED', 'Open the link in your invitation first.'],
} as const;

export const accountRefused = (state: keyof typeof accounts) =>
  new Refusal('FORBIDDEN', accounts[state][0], accounts[state][1]);

export const clientTypeRequired = () =>
  new Refusal('BAD_USER_INPUT', 'CLIENT_TYPE_REQUIRED', 'client_type is missing: it is web or mobile.');

export const noRefreshToken = () =>
  new Refusal('UNAUTHENTICATED', 'no_refresh_token', 'There is no refresh token: sign in.');

/** For a token that is forged, expired, or of an ended session. */
export const invalidRefreshToken = () =>
  new Refusal('UNAUTHENTICATED', 'invalid_refresh_token', 'The refresh token is not valid any more: sign in.');

/** Another simultaneous refresh won, and its tokens are valid. */
export const refreshTokenRotated = () =>
  new Refusal(
    'UNAUTHENTICATED',
    'refresh_token_rotated',
    'The refresh token was exchanged a moment ago: use the new one.',
  );

export const refreshTokenReused = () =>
  new Refusal(
    'UNAUTHENTICATED',
    'refresh_token_reused',
    'The refresh token was used before, so the session was ended: sign in.',
  );

export const sessionRefused = (reason: 'ORG_DISABLED' | 'ORG_PENDING' | 'ACCOUNT_DISABLED') =>
  new Refusal('UNAUTHENTICATED', reason, 'This session can not be renewed any more.');

/** Also for somebody else's session, whose existence the viewer may not learn. */
export const sessionNotFound = () => new Refusal('NOT_FOUND', 'SESSION_NOT_FOUND', 'There is no such session.');
