import type { ApolloServerPlugin } from '@apollo/server';
import { Refusal } from '@foyer/shared/errors';
import { LRUCache } from 'lru-cache';

import type { Config } from '../config.ts';
import type { GatewayContext } from '../request/context.ts';
import { countedAs } from '../request/counted-as.ts';
import type { GatewayRequest } from '../request/gateway-request.ts';
import type { State, States } from '../supergraph/state.ts';
import type { Budget, Planned } from '../supergraph/supergraph.ts';

const MINUTE_MS = 60_000;
/** How many callers are counted; those that have not planned anything for the longest are forgotten first. */
const MOST_CALLERS = 100_000;

/**
 * Plans new operations, within the time that each caller may take of the planner a minute: a new operation of the largest
 * size takes a tenth of a second, in which the process does nothing else.
 *
 * @param limits.planningMs milliseconds of processor time a minute, counted by each gateway for itself; 0 is no limit
 */
export function planning(states: States, { limits }: Pick<Config, 'limits'>): ApolloServerPlugin<GatewayContext> {
  const most = limits.planningMs;
  const spent = new LRUCache<string, number>({ max: MOST_CALLERS, ttl: MINUTE_MS, noUpdateTTL: true });

  return {
    requestDidStart: async () => ({
      async didResolveOperation({ schema, document, request, contextValue }) {
        const { supergraph } = states.of(schema);
        if (supergraph.isPlanned(document, request.operationName)) return;
        if (most === 0 || contextValue.internal) return; // planned when it is executed
        const { scope, outcome } = contextValue;
        const caller = countedAs(scope);
        let begun = false; // its plan for all callers, and then perhaps one for this caller
        // Planning is synchronous, and so is this: what one operation takes is counted before the next.
        const budget: Budget = (plan) => {
          const before = spent.get(caller) ?? 0;
          if (!begun && before >= most) throw tooMuch(spent.getRemainingTTL(caller));
          begun = true;
          // Of the processor: on a busy machine the same plan takes longer.
          const began = process.threadCpuUsage();
          try {
            return plan();
          } finally {
            const { user, system } = process.threadCpuUsage(began);
            spent.set(caller, before + Math.ceil((user + system) / 1_000));
          }
        };
        plans.set(outcome, await supergraph.planFor(document, request.operationName, scope, budget));
      },
    }),
  };
}

/** The plans that were made for the requests under way, by what the requests come to. */
const plans = new WeakMap<GatewayContext['outcome'], Planned>();

/** The plan of a request: the policies that it depends on are evaluated once. */
export const planOf = async ({ supergraph }: State, { document, request, context }: GatewayRequest): Promise<Planned> =>
  plans.get(context.outcome) ?? supergraph.planFor(document, request.operationName, context.scope);

const tooMuch = (waitMs: number) =>
  new Refusal('RATE_LIMITED', 'PLANNING_BUDGET', 'Too many new operations: wait a little, or send known ones.', {
    retryAfter: Math.ceil(waitMs / 1_000),
  });
