import { Refusal } from '@foyer/shared/errors';

/** @param name of a header that is forwarded to subgraphs */
export const invalidHeaderValue = (name: string) =>
  new Refusal('BAD_USER_INPUT', 'NOT_A_HEADER', `${name} holds what no header may hold.`);

export const headersTooLarge = () =>
  new Refusal('BAD_USER_INPUT', 'HEADERS_TOO_LARGE', 'The headers are too large.', { http: { status: 431 } });
