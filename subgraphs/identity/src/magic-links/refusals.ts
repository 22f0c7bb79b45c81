import { Refusal } from '@foyer/shared/errors';

/** Used, replaced by another one, or never sent: nobody learns which. */
export const magicLinkInvalid = () =>
  new Refusal('UNAUTHENTICATED', 'MAGIC_LINK_INVALID', 'This link is not valid any more: ask for another invitation.');

export const magicLinkExpired = () =>
  new Refusal('UNAUTHENTICATED', 'MAGIC_LINK_EXPIRED', 'The time of this link is over: ask for another invitation.');
