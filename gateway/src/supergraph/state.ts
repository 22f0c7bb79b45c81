import type { GraphQLSchema } from 'graphql';

import type { SubgraphDataSources } from '../data-sources/subgraph-data-source.ts';
import type { Supergraph } from './supergraph.ts';

/** A supergraph with the data sources of its subgraphs. An operation uses one state from beginning to end. */
export interface State {
  supergraph: Supergraph;
  sources: SubgraphDataSources;
}

/** The state in use, and those that operations under way still use. */
export interface States {
  /** The state of the schema against which a document was validated. */
  of(schema: GraphQLSchema): State;
  isCurrent(state: State): boolean;
  /**
   * Makes a state the current one.
   *
   * @returns whether there was one
   */
  replace(next: State): boolean;
}

export function openStates(): States {
  const bySchema = new WeakMap<GraphQLSchema, State>();
  let current: State | undefined;

  return {
    of(schema) {
      const state = bySchema.get(schema);
      if (!state) throw new Error('there is no state of this schema');
      return state;
    },
    isCurrent: (state) => state === current,
    replace(next) {
      const before = current;
      current = next;
      bySchema.set(next.supergraph.publicSchema, next);
      return before !== undefined;
    },
  };
}
