import { z } from 'zod';

declare const asGiven: unique symbol;

/** A media item as a client names it; `withImage` checks that they may see it. */
export type GivenImage = string & { [asGiven]: true };

/** A reference to a media item, to be resolved by `withImage`: null for none, undefined when the client named nothing. */
export const imageInput = z
  .string()
  .regex(/^[1-9]\d{0,9}$/, 'must be the number of a media file')
  .nullish()
  .transform((id) => id as GivenImage | null | undefined);
