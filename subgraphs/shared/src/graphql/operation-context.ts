import type { RequestScope } from '../http/request.ts';
import type { Started } from '../telemetry/tracing.ts';
import type { Viewer } from '../auth/viewer.ts';

import type { HeaderValue } from '../http/header-value.ts';

/** Headers of a request that subgraphs on the network get, too; their names are configured. */
export type ForwardedHeaders = Readonly<Record<string, HeaderValue>>;

/** What travels with one operation through the plan to the data sources. */
export interface OperationContext {
  scope: RequestScope;
  /** The context of each subgraph, made when it is first asked, so that its loaders batch within the operation. */
  ofSubgraphs: Map<string, object>;
  forwarded: ForwardedHeaders;
  /** When it began, as `performance.now()` tells it. */
  startedAt: number;
  /** What each fetch of its plan has taken so far. */
  fetches: { subgraph: string; ms: number }[];
  /** Its span, with tracing on (operation-span.ts). */
  started?: Started;
  /** Who asks, as far as an answer may depend on it: two contexts of the same rights get the same answer. */
  rights(): string;
}

const nothing: ForwardedHeaders = Object.freeze({});

export function operationContext(scope: RequestScope, forwarded: ForwardedHeaders = nothing): OperationContext {
  let rights: string | undefined;
  return {
    scope,
    ofSubgraphs: new Map(),
    forwarded,
    startedAt: performance.now(),
    fetches: [],
    rights: () => (rights ??= rightsOf(scope.viewer, forwarded)),
  };
}

/** Everything about a viewer but how long the token lasts. */
export function rightsOf(viewer: Viewer | null, forwarded: ForwardedHeaders): string {
  const lasting = viewer && { ...viewer, issuedAt: 0, expiresAt: 0, tokenId: '' };
  return JSON.stringify([lasting, forwarded]);
}
