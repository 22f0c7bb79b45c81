import { LRUCache } from 'lru-cache';

import type { IdentityProvider, PasswordRules } from '#ports/identity-provider.ts';
import type { Context } from '../context.ts';

/** Rules change rarely, and the provider checks again anyway. */
const KEPT_MS = 5 * 60_000;

const kept = new LRUCache<IdentityProvider, PasswordRules>({
  max: 8,
  ttl: KEPT_MS,
  fetchMethod: (identityProvider) => identityProvider.passwordRules(),
});

/** Reads the identity provider's rules for passwords, at most five minutes old. */
export async function readPasswordRules({
  identityProvider,
}: Pick<Context, 'identityProvider'>): Promise<PasswordRules> {
  return (await kept.fetch(identityProvider)) ?? identityProvider.passwordRules();
}
