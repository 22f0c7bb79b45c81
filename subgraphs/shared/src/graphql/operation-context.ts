import type { RequestScope } from '../http/request.ts';
import type { Started } from '../telemetry/tracing.ts';
import type { Viewer } from '../auth/viewer.ts';

import type { HeaderValue } from '../http/header-value.ts';

/** Headers of a request that subgraphs on the network get, too; their names are configured. */
export type ForwardedHeaders = Readonly<Record<string, HeaderValue>>;

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

/** Everything about a viewer but the lifetime of the token. */
export function rightsOf(viewer: Viewer | null, forwarded: ForwardedHeaders): string {
  const lasting = viewer && { ...viewer, issuedAt: 0, expiresAt: 0, tokenId: '' };
  return JSON.stringify([lasting, forwarded]);
}
