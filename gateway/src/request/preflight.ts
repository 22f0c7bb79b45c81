import type { IncomingHttpHeaders } from 'node:http';

/** Headers that no form and no image can set: a browser sends a preflight before a foreign page may send them. */
export const PREFLIGHT_HEADERS = [
  'x-apollo-operation-name',
  'apollo-require-preflight',
  'x-graphql-event-stream-token',
] as const;

/** Whether a browser sends a preflight before a foreign page may send this request. ApolloServer checks its own requests. */
export const isPreflighted = (headers: IncomingHttpHeaders): boolean =>
  /^application\/json\b/.test(headers['content-type'] ?? '') ||
  PREFLIGHT_HEADERS.some((name) => headers[name] !== undefined);
