import { randomInt } from 'node:crypto';

/** One of each kind meets every complexity rule; look-alike characters are left out. */
const kinds = ['ABCDEFGHJKLMNPQRSTUVWXYZ', 'abcdefghijkmnpqrstuvwxyz', '23456789', '!#%+-=?@'];
const LENGTH = 20;

/** Generates a password of more than 110 bits. */
export function randomPassword(): string {
  const all = kinds.join('');
  const letters = Array.from({ length: LENGTH }, (_, index) => pick(kinds[index] ?? all));
  for (let index = letters.length - 1; index > 0; index--) {
    const other = randomInt(index + 1);
    [letters[index], letters[other]] = [letters[other] ?? '', letters[index] ?? ''];
  }
  return letters.join('');
}

const pick = (from: string) => from.charAt(randomInt(from.length));
