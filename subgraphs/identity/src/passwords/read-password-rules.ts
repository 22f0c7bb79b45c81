import { LRUCache } from 'lru-cache';

import type { IdentityProvider, PasswordRules } from '#ports/identity-provider.ts';
import type { Context } from '../context.ts';

/** Rules change once in a blue moon, and the provider has the last word anyway. */
const KEPT_MS = 5 * 60_000;

const kept = new LRUCache<IdentityProvider, PasswordRules>({
  max: 8,
  ttl: KEPT_MS,
  fetchMethod: (identityProvider) => identityProvider.passwordRules(),
});

/** What the identity provider asks of a new password, at most five minutes old. */
export async function readPasswordRules({
  identityProvider,
}: Pick<Context, 'identityProvider'>): Promise<PasswordRules> {
  return (await kept.fetch(identityProvider)) ?? identityProvider.passwordRules();
}
