import type { IdentityDatabase } from '@foyer/prisma/identity';

import { newLinkToken } from '../tokens/link-token.ts';

/** Makes a link by which a person may choose a new password; returns its token. */
export async function resetLinkFor(db: Pick<IdentityDatabase, 'passwordReset'>, userId: string): Promise<string> {
  const { token, hash: tokenHash } = newLinkToken();
  await db.passwordReset.create({
    data: { userId, tokenHash, expiresAt: new Date(Date.now() + 600_000), usedAt: null },
  });
  return token;
}
