import type { ApolloServerPlugin } from '@apollo/server';
import { Refusal } from '@foyer/shared/errors';
import { LRUCache } from 'lru-cache';

import type { Config } from '../config.ts';
import type { Documents } from '../documents/document-store.ts';
import type { GatewayContext } from '../request/context.ts';
import { countedAs } from '../request/counted-as.ts';
import type { GatewayRequest } from '../request/gateway-request.ts';
import type { State, States } from '../supergraph/state.ts';
import type { Budget, Planned } from '../supergraph/supergraph.ts';
import { isRefused, refuse } from './refuse.ts';

const MINUTE_MS = 60_000;
/** How many callers are counted; those that have not planned anything for the longest are forgotten first. */
const MOST_CALLERS = 100_000;

/**
 * Plans new operations, within the time that each caller may take of the planner a minute: a new operation of the largest
 * size takes a tenth of a second, in which the process does nothing else. To find out that a document is not valid takes half of
 * that, and counts as well.
 *
 * @param limits.planningMs milliseconds of processor time a minute, counted by each gateway for itself; 0 is no limit
 */
export function planning(
  states: States,
  { limits }: Pick<Config, 'limits'>,
  { isKnown }: Pick<Documents, 'isKnown'>,
): ApolloServerPlugin<GatewayContext> {
  const most = limits.planningMs;
  const spent = new LRUCache<string, number>({ max: MOST_CALLERS, ttl: MINUTE_MS, noUpdateTTL: true });
  const isSpent = (caller: string) => (spent.get(caller) ?? 0) >= most;
  const tooMuchOf = (caller: string) => tooMuch(spent.getRemainingTTL(caller));
  /** Of the processor: on a busy machine the same work takes longer. */
  function clock(caller: string): () => void {
    const began = process.threadCpuUsage();
    return () => {
      const { user, system } = process.threadCpuUsage(began);
      spent.set(caller, (spent.get(caller) ?? 0) + Math.ceil((user + system) / 1_000));
    };
  }

  return {
    async requestDidStart(started) {
      const { request, contextValue } = started;
      const isLimited = most > 0 && !contextValue.internal;
      const caller = countedAs(contextValue.scope);
      if (isLimited && request.query !== undefined && !isRefused(started) && isSpent(caller) && !isKnown(request.query))
        refuse(started, tooMuchOf(caller));
      return {
        async validationDidStart() {
          const count = clock(caller);
          return async (errors) => {
            if (isLimited && errors) count();
          };
        },
        async didResolveOperation({ schema, document }) {
          const { supergraph } = states.of(schema);
          if (supergraph.isPlanned(document, request.operationName)) return;
          if (!isLimited) return; // planned when it is executed
          const { scope, outcome } = contextValue;
          let begun = false; // its plan for all callers, and then perhaps one for this caller
          // Planning is synchronous, and so is this: what one operation takes is counted before the next.
          const budget: Budget = (plan) => {
            if (!begun && isSpent(caller)) throw tooMuchOf(caller);
            begun = true;
            const count = clock(caller);
            try {
              return plan();
            } finally {
              count();
            }
          };
          plans.set(outcome, await supergraph.planFor(document, request.operationName, scope, budget));
        },
      };
    },
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
