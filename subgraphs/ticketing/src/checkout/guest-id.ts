import { createHash } from 'node:crypto';

import { badInput } from '@foyer/shared/errors';
import { newId, uuidOf, type Id } from '@foyer/shared/ids';

/** A shorter key could be guessed, or chosen by two clients. */
const SHORTEST_KEY = 16;

/**
 * Makes the id of a guest who orders without one. It is new each time, so that nobody learns whether an address has
 * ordered before. With an idempotency key it is derived from the key, which only the client knows, and the address, so
 * that a repeated request belongs to the same guest.
 *
 * @throws {Refusal} `VALIDATION_FAILED` for a key that is too short to be unique
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
  // RFC 9562, version 8: custom UUIDs.
  return uuidOf(
    `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`,
  ) as Id;
}
