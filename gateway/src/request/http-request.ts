import type { IncomingHttpHeaders } from 'node:http';

import { HeaderMap, type HTTPGraphQLRequest } from '@apollo/server';

/** Headers as ApolloServer has them. */
export function headerMapOf(headers: IncomingHttpHeaders): HeaderMap {
  const map = new HeaderMap();
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) map.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  return map;
}

/**
 * The HTTP request of an operation that does not come through ApolloServer's HTTP layer, for plugins. It is a POST, because
 * ApolloServer refuses subscriptions by GET.
 *
 * @param body the parameters of the operation
 */
export const asHttpRequest = (headers: HeaderMap, body?: unknown): HTTPGraphQLRequest => ({
  method: 'POST',
  headers,
  search: '',
  body,
});
