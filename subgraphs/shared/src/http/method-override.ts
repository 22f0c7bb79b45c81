import type { IncomingMessage } from 'node:http';

const HEADER = 'x-http-method-override';

/** Only the tus protocol documents this header, so it is ignored on other routes. */
const overridable = new Set(['POST', 'HEAD', 'PATCH', 'DELETE', 'OPTIONS']);
const uploads = /^\/files(?:[/?]|$)/;

/**
 * Fastify's option `rewriteUrl`, the only hook that it calls before it chooses a route: gives an upload request the method
 * that `X-HTTP-Method-Override` names (tus 1.0, "X-HTTP-Method-Override"), so that routing, limits and the log all use
 * it. A value that is no method of the protocol stays for the route to refuse (`hasUnknownMethod`).
 *
 * @returns the address, as it came
 */
export function overrideMethod(request: IncomingMessage): string {
  const { url = '/', headers } = request;
  const named = namedMethod(headers);
  if (named !== undefined && uploads.test(url) && overridable.has(named)) request.method = named;
  return url;
}

/** Whether the header names another method than the request was routed by. */
export const hasUnknownMethod = ({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): boolean => {
  const named = namedMethod(headers);
  return named !== undefined && named !== method;
};

function namedMethod(headers: IncomingMessage['headers']): string | undefined {
  const named = headers[HEADER];
  return typeof named === 'string' ? named.trim().toUpperCase() : undefined;
}
