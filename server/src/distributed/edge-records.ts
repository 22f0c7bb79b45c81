import type { Authentication } from '@foyer/identity/authentication';
import { uuidText } from '@foyer/shared/ids';
import type { ReadCustomerStanding } from '@foyer/ticketing/customer-standing';
import { z } from 'zod';

import type { permissionPolicies } from '../composition/policies.ts';

/** What a gateway asks of those who have the database: about the tokens and the policies of its callers. */
export interface EdgeRecords {
  tokens: Authentication['records'];
  readCustomerStanding: ReadCustomerStanding;
  evaluatePolicies: ReturnType<typeof permissionPolicies>;
}

/** Where a subgraph's process answers it. */
export const EDGE_PATH = '/internal/edge';

/** Each question, and its answer, as they are sent. */
export const wire = {
  revoked: {
    asked: z.object({}),
    answered: z.object({ blocks: z.array(z.tuple([z.string(), z.number()])), endedSessions: z.array(z.string()) }),
  },
  membership: {
    asked: z.object({ userId: uuidText(), organizationId: uuidText() }),
    answered: z.object({ isMember: z.boolean() }),
  },
  customer: {
    asked: z.object({ custId: z.string(), sessionId: z.string().optional(), issuedAt: z.number() }),
    answered: z.object({ standing: z.enum(['good', 'revoked']) }),
  },
  policies: {
    asked: z.object({ policies: z.array(z.string()) }),
    answered: z.object({ granted: z.array(z.string()) }),
  },
} as const;

export type Question = keyof typeof wire;
export type Asked<Of extends Question> = z.output<(typeof wire)[Of]['asked']>;
export type Answered<Of extends Question> = z.output<(typeof wire)[Of]['answered']>;

/** What the stream of changes carries: there may be more revocations, or only a sign of life. */
export const signs = { changed: '!', alive: '.' } as const;
