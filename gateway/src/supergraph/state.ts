import type { GraphQLSchema } from 'graphql';

import type { SubgraphDataSource, SubgraphDataSources } from '../data-sources/subgraph-data-source.ts';
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
   * Keeps the connections of a state open while something uses it.
   *
   * @returns a function that releases the state
   */
  retain(state: State): () => void;
  /**
   * Makes a state the current one. The last one is closed after the operations that began with it.
   *
   * @returns whether there was one
   */
  replace(next: State): boolean;
  close(): Promise<void>;
}

export function openStates(): States {
  const bySchema = new WeakMap<GraphQLSchema, State>();
  const users = new Map<State, number>();
  let current: State | undefined;

  /** Closes the sources that no state in use shares with this one. */
  async function retire(state: State): Promise<void> {
    if (state === current || (users.get(state) ?? 0) > 0) return;
    const used = new Set([...(current ? [current] : []), ...users.keys()].flatMap(sourcesOf));
    await closeAll(sourcesOf(state).filter((source) => !used.has(source)));
  }

  return {
    of(schema) {
      const state = bySchema.get(schema);
      if (!state) throw new Error('there is no state of this schema');
      return state;
    },
    isCurrent: (state) => state === current,
    retain(state) {
      users.set(state, (users.get(state) ?? 0) + 1);
      return () => {
        const left = (users.get(state) ?? 1) - 1;
        if (left > 0) users.set(state, left);
        else users.delete(state);
        if (left === 0 && state !== current) retire(state).catch(() => undefined); // its sockets close anyway
      };
    },
    replace(next) {
      const before = current;
      current = next;
      bySchema.set(next.supergraph.publicSchema, next);
      if (before) retire(before).catch(() => undefined);
      return before !== undefined;
    },
    close: () => closeAll(current ? sourcesOf(current) : []),
  };
}

const sourcesOf = ({ sources }: State) => Object.values(sources);

async function closeAll(sources: readonly SubgraphDataSource[]): Promise<void> {
  await Promise.all(sources.map(async (source) => source.close?.()));
}
