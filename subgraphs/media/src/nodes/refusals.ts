import { badInput, Refusal } from '@foyer/shared/errors';
import { numberIn } from '@foyer/shared/ids';

import { AddressForbidden } from '@foyer/shared/http/addresses/address-policy';
import { problemWords, type NodeKind } from './node.ts';

const wordOf: Record<NodeKind, string> = {
  streamer: 'streamer',
  cache: 'cache node',
  'load-balancer': 'load balancer',
};

/** Ids in errors are numbers, as documented for REST; an id that is none is not repeated. */
export const nodeNotFound = (kind: NodeKind, id: string) =>
  new Refusal('NOT_FOUND', 'NODE_NOT_FOUND', `There is no such ${wordOf[kind]}.`, { kind, id: numberIn(id) });

export const nodeIdMalformed = () => badInput([{ path: 'id', message: 'must be a number' }]);

/** Deleting it would remove origins that still stream. */
export const streamerInUse = (id: string) =>
  new Refusal('CONFLICT', 'STREAMER_IN_USE', 'Channels still run on this streamer.', { id: numberIn(id) });

export const nodeRefused = (status: number) =>
  new Refusal('BAD_GATEWAY', 'NODE_REFUSED', `The node answered ${status}.`, { status });

export const pathNotForwardable = () =>
  new Refusal('BAD_USER_INPUT', 'PATH_NOT_FORWARDABLE', 'This path can not be forwarded as it is.');

/** The node read the request or sent the response too slowly. */
export const nodeTooSlow = () => new Refusal('UPSTREAM_TIMEOUT', 'NODE_TIMEOUT', 'The node did not answer in time.');

export const requestTooSlow = () => new Refusal('REQUEST_TIMEOUT', 'REQUEST_TIMEOUT', 'The request came too slowly.');

const timeouts = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_CONNECT_TIMEOUT']);

const neverConnected = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
]);

/** Returns the refusal for a failed request to a node. */
export function nodeFailure(cause: unknown): Refusal {
  if (cause instanceof Refusal) return cause;
  if (cause instanceof AddressForbidden) {
    return new Refusal('BAD_GATEWAY', 'NODE_ADDRESS_FORBIDDEN', problemWords.forbidden, { cause });
  }
  const { name, code } = cause instanceof Error ? (cause as NodeJS.ErrnoException) : {};
  if (name === 'TimeoutError' || timeouts.has(String(code))) {
    return new Refusal('UPSTREAM_TIMEOUT', 'NODE_TIMEOUT', 'The node did not answer in time.', { cause });
  }
  if (neverConnected.has(String(code))) {
    return new Refusal('BAD_GATEWAY', 'NODE_UNREACHABLE', 'The node can not be reached.', { cause });
  }
  return new Refusal('BAD_GATEWAY', 'NODE_BROKE_OFF', 'The node broke the connection off.', { cause });
}
