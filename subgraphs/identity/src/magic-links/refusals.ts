import { Refusal } from '@foyer/shared/errors';

/** For a link that was used, replaced or never sent alike. */
export const magicLinkInvalid = () =>
  new Refusal('UNAUTHENTICATED', 'MAGIC_LINK_INVALID', 'This link is not valid any more: ask for another invitation.');

export const magicLinkExpired = () =>
  new Refusal('UNAUTHENTICATED', 'MAGIC_LINK_EXPIRED', 'The time of this link is over: ask for another invitation.');
