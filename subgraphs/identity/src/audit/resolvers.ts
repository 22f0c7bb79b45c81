import { isUuid } from '@foyer/shared/ids';

import type { AuditEntryResolvers, QueryResolvers } from '../generated/graphql.ts';
import { nameOfPerson } from '../tenancy/find-person.ts';
import { listAudit } from './list-audit.ts';

export const Query = {
  auditLog: (_parent, args, context) => listAudit(context, args),
} satisfies Partial<QueryResolvers>;

export const AuditEntry = {
  actor: ({ actorId }, _args, context) => (actorId && isUuid(actorId) ? nameOfPerson(context, actorId) : null),
} satisfies AuditEntryResolvers;
