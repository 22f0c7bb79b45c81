import type { IdentityTransaction } from '@foyer/prisma/identity';

/**
 * Tells whether a person or an organization of the identity provider was removed there and here: whoever records them must
 * ask first, in the same transaction, because they may have read them from the provider before. Until the transaction ends,
 * nobody else removes or records them.
 *
 * @param idpId the provider's id
 */
export async function wasRemoved(tx: IdentityTransaction, idpId: string): Promise<boolean> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`provider removal of ${idpId}`}, 0))`;
  return (await tx.providerRemoval.count({ where: { idpId } })) > 0;
}

/** Notes a removal, in the transaction that forgets them here. */
export async function noteRemoval(tx: IdentityTransaction, idpId: string): Promise<void> {
  if (!(await wasRemoved(tx, idpId))) await tx.providerRemoval.create({ data: { idpId } });
}
