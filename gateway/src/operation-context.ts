import type { RequestScope } from '@foyer/shared/request';

/** What travels with one operation through the plan to the data sources. */
export interface OperationContext {
  scope: RequestScope;
  /** The context of each subgraph, made when it is first asked, so that its loaders batch within the operation. */
  ofSubgraphs: Map<string, object>;
  /** The credential is a cookie, and the page that sends it is not one of ours: it may look, not touch. */
  foreign: boolean;
}

export const operationContext = (scope: RequestScope, { foreign = false } = {}): OperationContext => ({
  scope,
  ofSubgraphs: new Map(),
  foreign,
});
