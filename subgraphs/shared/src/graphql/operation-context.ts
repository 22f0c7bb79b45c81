import type { RequestScope } from '../http/request.ts';
import type { Started } from '../telemetry/tracing.ts';

import type { HeaderValue } from '../http/header-value.ts';

/** Headers that a subgraph on the network gets besides our own. */
export type HeadersToSubgraph = Readonly<Record<string, HeaderValue>>;

/** What the configured rules make of the headers of a request. */
export interface ForwardedHeaders {
  all: HeadersToSubgraph;
  /** For subgraphs with rules of their own; theirs replace those for all. */
  subgraphs: Readonly<Record<string, HeadersToSubgraph>>;
}

export const headersTo = (subgraph: string, { all, subgraphs }: ForwardedHeaders): HeadersToSubgraph =>
  (Object.hasOwn(subgraphs, subgraph) ? subgraphs[subgraph] : undefined) ?? all;

/** The context of one operation, on its way through the plan to the data sources. */
export interface OperationContext {
  scope: RequestScope;
  /** The context of each subgraph, made at its first fetch, so that its loaders batch within the operation. */
  ofSubgraphs: Map<string, object>;
  forwarded: ForwardedHeaders;
  /** When it began, by `performance.now()`. */
  startedAt: number;
  /** What each fetch of its plan has taken so far. */
  fetches: { subgraph: string; ms: number }[];
  /** Its span, with tracing on (operation-span.ts). */
  started?: Started;
  /** A key of everything about the viewer that an answer may depend on: contexts with equal keys get equal answers. */
  rights(): string;
}

const nothing: ForwardedHeaders = { all: {}, subgraphs: {} };

export function operationContext(scope: RequestScope, forwarded: ForwardedHeaders = nothing): OperationContext {
  let rights: string | undefined;
  return {
    scope,
    ofSubgraphs: new Map(),
    forwarded,
    startedAt: performance.now(),
    fetches: [],
    rights: () => (rights ??= rightsOf(scope, forwarded)),
  };
}

/**
 * Everything about a viewer but the lifetime of the token. The bearer of a foreign token is known to subgraphs by the
 * forwarded headers alone.
 */
export function rightsOf(
  { viewer, access }: Pick<RequestScope, 'viewer' | 'access'>,
  forwarded: ForwardedHeaders,
): string {
  const known = viewer?.kind === 'token-bearer' ? null : viewer;
  const lasting = known && { ...known, issuedAt: 0, expiresAt: 0, tokenId: '' };
  return JSON.stringify([lasting, forwarded, access]);
}
