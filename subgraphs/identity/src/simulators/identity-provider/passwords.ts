import { hash, verify } from '@node-rs/argon2';

import { ProviderError } from './errors.ts';

export const complexity = {
  minLength: '8',
  requiresUppercase: true,
  requiresLowercase: true,
  requiresNumber: true,
  requiresSymbol: true,
};

/** In Zitadel's order, and as it reads them: ASCII, and bytes. It reports the first that fails. */
const rules: [failing: (password: string) => boolean, id: string, text: string][] = [
  [(password) => Buffer.byteLength(password) < Number(complexity.minLength), 'DOMAIN-HuJf6', 'Password is too short'],
  [(password) => !/[a-z]/.test(password), 'DOMAIN-co3Xw', 'Password must contain lower letter'],
  [(password) => !/[A-Z]/.test(password), 'DOMAIN-VoaRj', 'Password must contain upper letter'],
  [(password) => !/\d/.test(password), 'DOMAIN-ZBv4H', 'Password must contain number'],
  [(password) => !/[^A-Za-z\d]/.test(password), 'DOMAIN-ZDLwA', 'Password must contain symbol'],
];

export function assertComplex(password: string): void {
  for (const [failing, id, text] of rules) if (failing(password)) throw new ProviderError('invalid_argument', id, text);
}

/** What bcrypt takes, Zitadel's default. */
const MOST_BYTES = 72;

/** argon2id with OWASP's minimum: this is a developer's machine. */
export async function hashPassword(password: string): Promise<string> {
  if (Buffer.byteLength(password) > MOST_BYTES)
    throw new ProviderError('unknown', null, 'bcrypt: password length exceeds 72 bytes');
  return hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
}

export const passwordMatches = (passwordHash: string, password: string): Promise<boolean> =>
  verify(passwordHash, password);

const dummy = hashPassword('nobody has this password');

/** Takes as long as a real check, so that timing does not reveal who exists. */
export const pretendToCheck = async (password: string): Promise<void> =>
  void (await passwordMatches(await dummy, password));
