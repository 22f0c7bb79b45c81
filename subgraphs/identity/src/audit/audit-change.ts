import type { IdentityTransaction } from '@foyer/prisma/identity';

import type { Context } from '../context.ts';
import { audit, type AuditFact } from './write-audit.ts';

/** What the log says of who changes something. */
export type AuditNeeds = Pick<Context, 'viewer' | 'client' | 'requestId'>;

/** Writes down what the viewer changes, in the transaction of the change. */
export const auditChange = (
  { viewer, client, requestId }: AuditNeeds,
  tx: IdentityTransaction,
  change: Pick<AuditFact, 'organizationId' | 'action' | 'target' | 'details'>,
): Promise<void> =>
  audit(tx, { ...change, userId: viewer?.kind === 'staff' ? viewer.userId : null, ip: client.address, requestId });
