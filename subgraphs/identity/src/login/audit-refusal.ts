import { audit } from '../audit/write-audit.ts';
import type { Context } from '../context.ts';
import { organizationByCode } from '../tenancy/organization-by-code.ts';

type Needs = Pick<Context, 'db' | 'log' | 'client' | 'requestId'>;

/** Writes a refused login to the audit log of the organization. Never what was typed. */
export async function auditRefusal(
  { db, log, client, requestId }: Needs,
  { companyCode, idpUserId, reason }: { companyCode: string; idpUserId: string | undefined; reason: string },
): Promise<void> {
  try {
    const organization = await organizationByCode(db, companyCode);
    const user = idpUserId ? await db.authUser.findUnique({ where: { idpUserId } }) : null;
    const organizationId = organization?.id ?? (companyCode ? null : (user?.orgId ?? null));
    // This organization may not learn about members of another one.
    const userId = user && user.orgId === organizationId ? user.id : null;
    const target = userId ? { kind: 'user', id: userId } : undefined;
    const fact = { organizationId, userId, action: 'session.refused', target, reason, requestId };
    await audit(db, { ...fact, ip: client.address, result: 'refused' });
  } catch (error) {
    log.error({ err: error, reason }, 'a refused login could not be written to the audit log');
  }
}
