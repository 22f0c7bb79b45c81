/** Headers that concern one connection only (RFC 9110, section 7.6.1), or describe a body that the gateway writes anew. */
const OF_ONE_MESSAGE = [
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-request-id',
];

const NOT_TO_FORWARD = new Set([...OF_ONE_MESSAGE, 'accept', 'expect', 'host']);

/** `Vary` has what CORS needs. */
const NOT_TO_RETURN = new Set([...OF_ONE_MESSAGE, 'date', 'vary']);

/** Headers that say something of one subgraph's answer, or sign somebody in: only a rule that names them returns them. */
const RETURNED_BY_NAME = new Set(['age', 'cache-control', 'etag', 'expires', 'last-modified', 'server', 'set-cookie']);

/** A token (RFC 9110, section 5.6.2), in lower case. */
const isName = (name: string) => /^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name) && !name.startsWith('sec-websocket-');

/** Whether a request to a subgraph may have a header of this name, in lower case. */
export const isForwardable = (name: string): boolean => isName(name) && !NOT_TO_FORWARD.has(name);

/** Headers that browsers and proxies set, but no page. */
const NOT_OF_CLIENT = new Set(['cookie', 'forwarded', 'origin', 'referer', 'via', 'x-real-ip']);
const NOT_OF_CLIENT_EITHER = ['sec-', 'x-forwarded-'];

/** Whether a client may send a header of this name, in lower case, as a text of `connection_init`. */
export const isOfClient = (name: string): boolean =>
  isForwardable(name) && !NOT_OF_CLIENT.has(name) && !NOT_OF_CLIENT_EITHER.some((prefix) => name.startsWith(prefix));

/** Whether a response to a client may have a header of this name, in lower case, from a subgraph or a rule. */
export const isReturnable = (name: string): boolean =>
  isName(name) && !NOT_TO_RETURN.has(name) && !name.startsWith('access-control-');

/** Whether a pattern may select it, too. */
export const isReturnableByPattern = (name: string): boolean => isReturnable(name) && !RETURNED_BY_NAME.has(name);
