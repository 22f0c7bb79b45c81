import { createHash, randomInt, timingSafeEqual } from 'node:crypto';

import type { IdentityDatabase, IdentityTransaction } from '@foyer/prisma/identity';
import type { Id } from '@foyer/shared/ids';

import type { Context } from '../context.ts';
import { signupCodeInvalid } from './refusals.ts';

export const CODE_SECONDS = 600;
const CODE_ATTEMPTS = 5;

/** Generates six random digits. */
export const newSignupCode = () => String(randomInt(1_000_000)).padStart(6, '0');

/** The stored hash of a code, salted with its id, so that equal codes do not look alike. */
export const signupCodeHash = (id: Id, code: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(createHash('sha256').update(`${id} ${code}`).digest());

/**
 * Checks a code against the newest one sent to an address. Every try is counted before it is checked, so that
 * simultaneous tries get no more attempts than successive ones.
 *
 * @returns the id of the code, to be used up by `useSignupCode`
 * @throws {Refusal} `SIGNUP_CODE_INVALID`
 */
export async function checkSignupCode(
  { db, clock }: Pick<Context, 'clock'> & { db: IdentityDatabase },
  email: string,
  code: string,
): Promise<Id> {
  const newest = await db.emailVerificationCode.findFirst({
    where: { email: email.toLowerCase() },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
  const [tried] = await db.emailVerificationCode.updateManyAndReturn({
    where: {
      id: newest?.id ?? '00000000-0000-0000-0000-000000000000',
      usedAt: null,
      expiresAt: { gt: clock.now() },
      attempts: { lt: CODE_ATTEMPTS },
    },
    data: { attempts: { increment: 1 } },
  });
  if (!tried || !timingSafeEqual(tried.codeHash, signupCodeHash(tried.id, code))) throw signupCodeInvalid();
  return tried.id;
}

/** @throws {Refusal} `SIGNUP_CODE_INVALID` when somebody else was quicker */
export async function useSignupCode(tx: IdentityTransaction, id: Id, usedAt: Date): Promise<void> {
  const { count } = await tx.emailVerificationCode.updateMany({ where: { id, usedAt: null }, data: { usedAt } });
  if (count === 0) throw signupCodeInvalid();
}
