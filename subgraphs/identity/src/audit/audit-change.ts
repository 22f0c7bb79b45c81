import type { IdentityTransaction } from '@foyer/prisma/identity';

import type { Context } from '../context.ts';
import { audit, type AuditFact } from './write-audit.ts';

/** The parts of the request context that the audit log records. */
export type AuditNeeds = Pick<Context, 'viewer' | 'client' | 'requestId'>;

/** Audits a change by the viewer, in the transaction of the change. */
export const auditChange = (
  { viewer, client, requestId }: AuditNeeds,
  tx: IdentityTransaction,
  change: Pick<AuditFact, 'organizationId' | 'action' | 'target' | 'details'>,
): Promise<void> =>
  audit(tx, { ...change, userId: viewer?.kind === 'staff' ? viewer.userId : null, ip: client.address, requestId });
