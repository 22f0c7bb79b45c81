import type { ApolloLink } from '@apollo/client';
import { CombinedGraphQLErrors, ServerError } from '@apollo/client/errors';

type Facts = Record<string, unknown> & { reason?: unknown; code?: unknown };

/** A refusal that did not come by GraphQL. */
export class RefusedError extends Error {
  readonly facts: Facts;
  constructor(facts: Facts) {
    super(String(facts.reason));
    this.facts = facts;
  }
}

/** What the server says about a refusal (docs/errors.md). */
export function refusalOf(error: unknown): Facts {
  if (error instanceof RefusedError) return error.facts;
  if (CombinedGraphQLErrors.is(error)) return error.errors[0]?.extensions ?? {};
  if (Array.isArray(error)) return (error[0] as { extensions?: Facts } | undefined)?.extensions ?? {}; // of a WebSocket
  if (!ServerError.is(error)) return {};
  try {
    const { errors } = JSON.parse(error.bodyText) as { errors?: { extensions?: Facts }[] };
    return errors?.[0]?.extensions ?? {};
  } catch {
    return {};
  }
}

/** The reason of a refusal, for programs. */
export const reasonOf = (error: unknown): unknown => {
  const { reason, code } = refusalOf(error);
  return reason ?? code;
};

/** Reasons that pass soon, or with the next attempt. */
const passing = new Set<unknown>([
  'SUBGRAPH_UNAVAILABLE',
  'SUBGRAPH_TIMEOUT',
  'DATABASE_BUSY',
  'SERVER_STOPPING',
  'RIGHTS_CHANGED',
  'SUBSCRIPTION_SCHEMA_RELOAD',
]);
/** Whether what only reads may be tried again. */
export const isPassing = (error: unknown): boolean => passing.has(reasonOf(error));

/** Whether nothing was done because the server was busy; without a part that was. */
export const isBusy = ({ data, errors }: ApolloLink.Result) => {
  const { reason, outcome } = refusalOf(errors);
  return (
    reason === 'DATABASE_BUSY' && outcome === undefined && Object.values(data ?? {}).every((field) => field === null)
  );
};

/** The last event of a stream has a more exact reason. */
export const isSessionLost = (error: unknown) => refusalOf(error).code === 'UNAUTHENTICATED';

export const isUnauthenticated = (error: unknown) => reasonOf(error) === 'UNAUTHENTICATED';
