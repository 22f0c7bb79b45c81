type Headers = Readonly<Record<string, string | string[] | undefined>>;

/**
 * The request headers that a node receives: they describe the body and the acceptable responses. Nothing tells a node who
 * sent the request, from where, or with which token or cookie.
 */
const toNode = [
  'accept',
  'accept-encoding',
  'accept-language',
  'cache-control',
  'content-encoding',
  'content-language',
  'content-length',
  'content-type',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'if-unmodified-since',
  'range',
  'user-agent',
];

/**
 * The response headers that a client receives from a node: they describe the body's type, length, range and caching. All
 * others would act on the origin that serves them (`Set-Cookie`, `Clear-Site-Data`, `Location`, `Link`, CORS …): ours.
 */
const fromNode = [
  'accept-ranges',
  'age',
  'cache-control',
  'content-encoding',
  'content-language',
  'content-length',
  'content-range',
  'content-type',
  'etag',
  'expires',
  'last-modified',
];

/** Added to every response of a node: a browser must not run its documents as pages of our origin. */
const isolation = {
  'content-security-policy': 'sandbox',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/** Returns the headers of the request to a node. */
export function headersForNode(method: string, headers: Headers): Record<string, string> {
  const kept = only(toNode, headers);
  if (method !== 'GET' && method !== 'HEAD') return kept;
  // Fastify reads no body of these methods.
  const { 'content-length': _length, 'content-type': _type, 'content-encoding': _encoding, ...bodyless } = kept;
  return bodyless;
}

/**
 * Returns the headers of the response to the client.
 *
 * @param own the `Vary` that the response has already
 */
export const headersFromNode = (headers: Headers, own: string | undefined): Record<string, string> => ({
  ...only(fromNode, headers),
  ...isolation,
  // No cache may serve the response to a viewer without permission, whatever the node says about caching.
  vary: [own, ...Object.values(only(['vary'], headers)), 'authorization', 'cookie'].filter(Boolean).join(', '),
});

/** Values that Node can send; others, such as letters beyond Latin-1, are left out. */
const sendable = /^[\t\u0020-\u007e\u0080-\u00ff]*$/;

const only = (names: readonly string[], headers: Headers): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = [headers[name] ?? []].flat().join(', ');
      return headers[name] !== undefined && sendable.test(value) ? [[name, value]] : [];
    }),
  );
