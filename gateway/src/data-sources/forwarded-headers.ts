import { headersTo, type OperationContext } from '@foyer/shared/graphql/operation-context';

import type { SubgraphDataSource } from './subgraph-data-source.ts';

/**
 * A data source of the operator that finds the headers for its subgraph in the request, by the header rules: a
 * `RemoteGraphQLDataSource` sends what it finds there.
 */
export const withForwardedHeaders = (subgraph: string, source: SubgraphDataSource): SubgraphDataSource => ({
  async process(options) {
    if (!('incomingRequestContext' in options)) return source.process(options); // no client caused it
    const { forwarded } = options.context as OperationContext;
    const http = { method: 'POST', url: '', headers: new Headers({ ...headersTo(subgraph, forwarded) }) };
    return source.process({ ...options, request: { ...options.request, http } });
  },
  ...(source.subscribe && { subscribe: source.subscribe.bind(source) }),
  ...(source.close && { close: source.close.bind(source) }),
});
