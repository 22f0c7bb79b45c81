import type { ApolloServerPlugin } from '@apollo/server';
import { Refusal } from '@foyer/shared/errors';

import type { Config } from '../config.ts';
import type { GatewayContext } from '../request/context.ts';
import type { States } from '../supergraph/state.ts';

/** Refuses an operation that costs more than allowed, by `@cost` and `@listSize`, before it is planned. */
export const costLimit = (states: States, { limits }: Pick<Config, 'limits'>): ApolloServerPlugin<GatewayContext> => ({
  requestDidStart: async () => ({
    async didResolveOperation({ schema, document, request, contextValue }) {
      if (limits.cost === 0 || contextValue.internal) return;
      const { cost } = states.of(schema).supergraph.read(document, request.operationName);
      const costs = cost(request.variables ?? {});
      if (costs > limits.cost) throw tooCostly(costs, limits.cost);
    },
  }),
});

const tooCostly = (costs: number, most: number) =>
  new Refusal('BAD_USER_INPUT', 'MAX_COST', `An operation may cost at most ${most}; this one costs ${costs}.`, {
    cost: costs,
  });
