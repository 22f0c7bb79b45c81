import { createHash } from 'node:crypto';

import { badInput } from '@foyer/shared/errors';
import { newId, uuidOf, type Id } from '@foyer/shared/ids';

/** Fewer characters are guessed, or chosen by two clients alike. */
const SHORTEST_KEY = 16;

/**
 * The id of a guest who orders without one: new each time, so that nobody learns whether an address has ordered before.
 * Only the same request, repeated with the same key, is the same guest's: the id follows from the key, which nobody else
 * knows, and the address.
 *
 * @throws {Refusal} `VALIDATION_FAILED` for a key that others may have, too
 */
export function guestIdOf(buyerEmail: string, idempotencyKey: string | null): Id {
  if (!idempotencyKey) return newId();
  if (idempotencyKey.length < SHORTEST_KEY) {
    throw badInput([
      {
        path: 'idempotencyKey',
        message: `must be random, such as a UUID, of at least ${SHORTEST_KEY} characters where no custId is given: it stands for the guest`,
      },
    ]);
  }
  const said = JSON.stringify(['guest', buyerEmail.toLowerCase(), idempotencyKey]);
  const hex = createHash('sha256').update(said).digest('hex');
  // RFC 9562, version 8: made by a rule of one's own.
  return uuidOf(
    `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`,
  ) as Id;
}
