import type { ApolloServerPlugin } from '@apollo/server';
import { Refusal } from '@foyer/shared/errors';
import { RateLimiterMemory } from 'rate-limiter-flexible';

import type { Config } from '../config.ts';
import type { GatewayContext } from '../request/context.ts';
import { countedAs } from '../request/counted-as.ts';
import type { States } from '../supergraph/state.ts';

const MINUTE_SECONDS = 60;

/**
 * Plans new operations, within the time that each caller may take of the planner a minute: a new operation of the largest
 * size takes a tenth of a second, in which the process does nothing else.
 *
 * @param limits.planningMs milliseconds a minute, counted by each gateway for itself; 0 is no limit
 */
export function planning(states: States, { limits }: Pick<Config, 'limits'>): ApolloServerPlugin<GatewayContext> {
  const most = limits.planningMs;
  const spent = new RateLimiterMemory({ points: most, duration: MINUTE_SECONDS });

  return {
    requestDidStart: async () => ({
      async didResolveOperation({ schema, document, request, contextValue }) {
        const { supergraph } = states.of(schema);
        if (supergraph.isPlanned(document, request.operationName)) return;
        if (most === 0 || contextValue.internal) return; // planned when it is executed
        const caller = countedAs(contextValue.scope);
        const before = await spent.get(caller);
        if (before && before.consumedPoints >= most) throw tooMuch(before.msBeforeNext);
        const startedAt = performance.now();
        try {
          supergraph.plan(document, request.operationName);
        } finally {
          await spent.penalty(caller, Math.ceil(performance.now() - startedAt));
        }
      },
    }),
  };
}

const tooMuch = (waitMs: number) =>
  new Refusal('RATE_LIMITED', 'PLANNING_BUDGET', 'Too many new operations: wait a little, or send known ones.', {
    retryAfter: Math.ceil(waitMs / 1_000),
  });
