import { Refusal } from '@foyer/shared/errors';
import type { Log } from '@foyer/shared/telemetry/log';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';

import type { Config } from '../config.ts';
import { maskedAtSource, Shown } from '@foyer/shared/graphql/error-masking';
import type { Fetch } from '@foyer/shared/graphql/data-source';
import type { OperationContext } from '@foyer/shared/graphql/operation-context';
import { didNothing, TooSlow } from './faults.ts';

interface From {
  name: string;
  options: Pick<Config['subgraphs'], 'errors'>;
  log: Log;
  context: OperationContext;
}

/** The errors of a subgraph, as far as clients may see them. */
export function shownErrors(
  errors: readonly GraphQLFormattedError[],
  { name, options, log, context }: From,
): readonly GraphQLError[] {
  return errors.map(({ message, path, extensions }) => {
    const told = { path: path ?? null, extensions: extensions ?? null };
    if (options.errors === 'shown') return new Shown(message, told);
    return maskedAtSource(new GraphQLError(message, told), { requestId: context.scope.requestId, log, subgraph: name });
  });
}

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
