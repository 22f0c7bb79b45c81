import type { ApolloServerPlugin } from '@apollo/server';
import { timeOperation } from '@foyer/shared/graphql/metrics';
import { OperationTypeNode } from 'graphql';

import type { GatewayContext } from '../request/context.ts';

/** Times queries and mutations; the events of a subscription are timed one by one, where they are resolved. */
export const metrics = (): ApolloServerPlugin<GatewayContext> => ({
  async requestDidStart() {
    let failed = false;
    return {
      async didEncounterErrors() {
        failed = true;
      },
      async executionDidStart({ operation }) {
        if (operation.operation === OperationTypeNode.SUBSCRIPTION) return undefined;
        const done = timeOperation(operation.operation, operation.name?.value);
        return { executionDidEnd: async (error) => done(failed || error !== undefined) };
      },
    };
  },
});
