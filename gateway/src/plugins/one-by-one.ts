import type {
  ApolloServerPlugin,
  GraphQLRequestListener,
  GraphQLRequestListenerValidationDidEnd,
} from '@apollo/server';
import { during } from '@foyer/shared/graphql/operation-span';

import type { GatewayContext } from '../request/context.ts';

type Plugin = ApolloServerPlugin<GatewayContext>;

/**
 * Runs plugins that refuse requests in this order: ApolloServer starts all of them at once, so that a request which the
 * first refuses would still be planned by the last.
 */
export const oneByOne = (plugins: readonly Plugin[]): Plugin => ({
  async requestDidStart(request) {
    const listeners: GraphQLRequestListener<GatewayContext>[] = [];
    for (const plugin of plugins) {
      const listener = await plugin.requestDidStart?.(request);
      if (listener) listeners.push(listener);
    }
    return {
      async validationDidStart(validating) {
        const ends: GraphQLRequestListenerValidationDidEnd[] = [];
        for (const listener of listeners) {
          const end = await listener.validationDidStart?.(validating);
          if (end) ends.push(end);
        }
        return async (errors) => {
          for (const end of ends) await end(errors);
        };
      },
      didResolveOperation: (resolved) =>
        during(resolved.contextValue, async () => {
          for (const listener of listeners) await listener.didResolveOperation?.(resolved);
        }),
    };
  },
});
