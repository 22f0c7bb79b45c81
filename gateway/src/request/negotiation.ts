import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';

/** The media types of a response, the preferred one first. */
const types = [
  'application/json',
  'application/graphql-response+json',
  'text/event-stream',
  'multipart/mixed;boundary=graphql;subscriptionSpec=1.0',
  'text/html',
] as const;

type Type =
  | 'application/json'
  | 'application/graphql-response+json'
  | 'text/event-stream'
  | 'multipart/mixed'
  | 'text/html';

interface Negotiated {
  /** The media type of the response, without parameters; undefined when the client accepts none that we have. */
  type: Type | undefined;
  /** Whether the client named it, and did not send a wildcard or no `Accept` header. */
  named: boolean;
}

/** Clients send few different headers; to parse one costs as much as a tenth of a small operation. */
const known = new LRUCache<string, Negotiated>({ max: 200 });
/** Longer headers are not kept. */
const LONGEST = 500;

/** Parameters of media types but those that say which of our types is meant, or how much it is wanted. */
const UNKNOWN_PARAMETER = /;\s*(?!(?:q|subscriptionspec)\s*=)[^\s;,="]+\s*(?:=\s*(?:"(?:[^"\\]|\\.)*"|[^\s;,"]*))?/gi;

/**
 * Chooses the media type of a response (RFC 9110, section 12.5.1). Parameters that are unknown here, such as those of
 * another protocol, count for nothing where the client accepts none of our types otherwise.
 */
export function negotiated(accept: string | undefined): Negotiated {
  if (!accept || accept === '*/*') return { type: 'application/json', named: false };
  const before = known.get(accept);
  if (before) return before;
  const exact = choose(accept);
  const chosen = exact.type ? exact : choose(accept.replaceAll(UNKNOWN_PARAMETER, ''));
  if (accept.length <= LONGEST) known.set(accept, chosen);
  return chosen;
}

function choose(accept: string): Negotiated {
  const negotiator = new Negotiator({ headers: { accept } });
  const type = negotiator.mediaType([...types])?.split(';', 1)[0] as Type | undefined;
  return { type, named: type !== undefined && negotiator.mediaTypes().includes(type) };
}
