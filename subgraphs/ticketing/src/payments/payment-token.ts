import { createHash, randomBytes } from 'node:crypto';

import type { OrderTicketGroup } from '@foyer/prisma/client';
import type { TicketingTransaction } from '@foyer/prisma/ticketing';

import type { Context } from '../context.ts';
import { tokenUsed } from './refusals.ts';

const LIFE_MINUTES = 10;

const hashOf = (token: string) => new Uint8Array(createHash('sha256').update(token).digest());
const mint = () => randomBytes(32).toString('base64url');

/**
 * Makes a random key for one payment form, valid for ten minutes. Only its hash is stored.
 *
 * @throws {Refusal} `RATE_LIMITED` for an address that requests too many
 */
export async function generatePaymentToken({
  db,
  clock,
  limits,
  client,
}: Pick<Context, 'db' | 'clock' | 'limits' | 'client'>): Promise<string> {
  await limits.take('paymentTokens', client.address);
  const token = mint();
  const expiresAt = new Date(clock.now().getTime() + LIFE_MINUTES * 60_000);
  await db.paymentToken.create({ data: { tokenHash: hashOf(token), expiresAt } });
  return token;
}

/**
 * Uses up a key, or makes one that is used already.
 *
 * @throws {Refusal} `PAYMENT_TOKEN_USED`, also for an expired or unknown key
 */
export async function spendToken(
  tx: TicketingTransaction,
  order: Pick<OrderTicketGroup, 'langChosen'>,
  given: string | null | undefined,
  now: Date,
) {
  if (!given) {
    const token = mint();
    return { token, tokenHash: hashOf(token) };
  }
  const tokenHash = hashOf(given);
  const { count } = await tx.paymentToken.updateMany({
    where: { tokenHash, usedAt: null, expiresAt: { gt: now } },
    data: { usedAt: now },
  });
  if (count === 0) throw tokenUsed(order);
  return { token: given, tokenHash };
}
