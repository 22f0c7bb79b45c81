import { Refusal } from '@foyer/shared/errors';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';

import type { Fetch } from '@foyer/shared/graphql/data-source';
import { didNothing, TooSlow } from './faults.ts';

/** The errors in an answer of a subgraph, as objects. */
export const errorsIn = (errors: readonly GraphQLFormattedError[]): readonly GraphQLError[] =>
  errors.map((error) => {
    if (error instanceof GraphQLError) return error;
    const { message, path, extensions } = error;
    return new GraphQLError(message, { path: path ?? null, extensions: extensions ?? null });
  });

const tooSlow = (advice: string, facts: object) =>
  new Refusal('UPSTREAM_TIMEOUT', 'SUBGRAPH_TIMEOUT', `A part of the platform takes too long to answer.${advice}`, {
    ...facts,
  });

const unreachable = (advice: string, facts: object) =>
  new Refusal('UPSTREAM_UNAVAILABLE', 'SUBGRAPH_UNAVAILABLE', `A part of the platform can not be reached.${advice}`, {
    ...facts,
  });

/**
 * The refusal for a missing answer. After a mutation that the subgraph may have carried out it says so
 * (`outcome: UNKNOWN`).
 */
export function asRefusal(error: unknown, kind: Fetch['kind']): Refusal {
  const refusal = error instanceof TooSlow ? tooSlow : unreachable;
  if (kind !== 'mutation' || didNothing(error)) return refusal('', { cause: error });
  const advice = ' It is not known whether the change was made: look before you make it again.';
  return refusal(advice, { cause: error, outcome: 'UNKNOWN' });
}
