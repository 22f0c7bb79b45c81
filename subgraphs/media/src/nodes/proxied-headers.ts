type Headers = Readonly<Record<string, string | string[] | undefined>>;

/**
 * What a node learns of a request: what its body is, and which answer would do. Who asks, from where and with which
 * token or cookie is no business of a node.
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
 * What a client learns from a node about the body: its type, length, range and caching. Everything else speaks for the
 * origin that serves it (`Set-Cookie`, `Clear-Site-Data`, `Location`, `Link`, CORS …), and that origin is ours.
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

/** What a browser is told of every body of a node: a document of it is nobody's page, and runs nothing. */
const asForeign = {
  'content-security-policy': 'sandbox',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/** The headers with which a request goes on to a node. */
export function headersForNode(method: string, headers: Headers): Record<string, string> {
  const kept = only(toNode, headers);
  if (method !== 'GET' && method !== 'HEAD') return kept;
  // Fastify reads no body of these, so that there is nothing to announce.
  const { 'content-length': _length, 'content-type': _type, 'content-encoding': _encoding, ...bodyless } = kept;
  return bodyless;
}

/**
 * The headers with which the answer of a node leaves.
 *
 * @param own the `Vary` that the answer has already
 */
export const headersFromNode = (headers: Headers, own: string | undefined): Record<string, string> => ({
  ...only(fromNode, headers),
  ...asForeign,
  // Who may not ask is not answered from a cache either, whatever the node says about caching.
  vary: [own, ...Object.values(only(['vary'], headers)), 'authorization', 'cookie'].filter(Boolean).join(', '),
});

/** What Node can't send on, such as letters beyond Latin-1, is left out as well. */
const sendable = /^[\t\u0020-\u007e\u0080-\u00ff]*$/;

const only = (names: readonly string[], headers: Headers): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = [headers[name] ?? []].flat().join(', ');
      return headers[name] !== undefined && sendable.test(value) ? [[name, value]] : [];
    }),
  );
