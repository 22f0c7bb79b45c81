import type { ApolloServerPlugin } from '@apollo/server';
import { nameOperation } from '@foyer/shared/graphql/operation-span';
import { markFailed, startSpan } from '@foyer/shared/telemetry/tracing';

import type { GatewayContext } from '../request/context.ts';

/** Names and marks the span of an operation, and gives parsing and validation spans of their own. */
export const tracing = (): ApolloServerPlugin<GatewayContext> => ({
  async requestDidStart({ contextValue: { started } }) {
    if (!started) return undefined;
    const step = (name: string) => {
      const { span } = startSpan(name, {}, started.context);
      return async (failure?: unknown) => {
        if (failure) markFailed(span, Array.isArray(failure) ? failure[0] : failure);
        span.end();
      };
    };
    return {
      parsingDidStart: async () => step('graphql.parse'),
      validationDidStart: async () => step('graphql.validate'),
      didResolveOperation: async ({ operation }) => operation && nameOperation(started, operation),
      didEncounterErrors: async ({ errors }) => markFailed(started.span, errors[0]),
    };
  },
});
