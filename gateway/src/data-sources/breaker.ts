import {
  BrokenCircuitError,
  circuitBreaker,
  CircuitState,
  ConsecutiveBreaker,
  handleWhen,
  type CircuitBreakerPolicy,
} from 'cockatiel';

import type { Config } from '../config.ts';
import { hasAnswered, isFaultOfSubgraph } from './faults.ts';

/**
 * A circuit breaker: after failures in a row nothing is attempted for a while.
 *
 * @returns a function that throws a `BrokenCircuitError` instead of an attempt
 */
export function breaker({
  breakerFailures,
  breakerMs,
}: Pick<Config['subgraphs'], 'breakerFailures' | 'breakerMs'>): <Result>(
  attempt: () => Promise<Result>,
) => Promise<Result> {
  // A failure that is not the subgraph's does not count. But when this request was the probe of an open breaker, the
  // state of the subgraph is still unknown, and the breaker stays open for another period.
  const counts = (error: unknown) =>
    isFaultOfSubgraph(error) || (policy.state === CircuitState.HalfOpen && !hasAnswered(error));
  const policy: CircuitBreakerPolicy = circuitBreaker(handleWhen(counts), {
    halfOpenAfter: breakerMs,
    breaker: new ConsecutiveBreaker(breakerFailures),
  });

  return async (attempt) => {
    // A probe is under way: the breaker itself would make all other requests wait for it.
    if (policy.state === CircuitState.HalfOpen) throw new BrokenCircuitError();
    return policy.execute(attempt);
  };
}
