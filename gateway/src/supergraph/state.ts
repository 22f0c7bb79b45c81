import type { DataSource, DataSources } from '@foyer/shared/graphql/data-source';
import { loadSupergraph, type LoadOptions, type Supergraph } from './supergraph.ts';

/** A supergraph with the data sources of its subgraphs. An operation uses one state from beginning to end. */
export interface State {
  supergraph: Supergraph;
  sources: DataSources;
}

export interface States {
  current(): State;
  /**
   * Keeps the connections of a state open while something uses it.
   *
   * @returns a function that releases the state
   */
  retain(state: State): () => void;
  /** @throws when the SDL is no supergraph, or names an unknown subgraph; then nothing has changed */
  load(sdl: string): void;
  close(): Promise<void>;
}

/** Resolves the data source of a subgraph; undefined for an unknown one. A source that stays in use is the same object. */
export type ResolveDataSource = (
  subgraph: { name: string; url: string },
  before: DataSource | undefined,
) => DataSource | undefined;

/**
 * The current state. A replaced state is kept for the operations that began with it, and closed after them.
 *
 * @param validate whether the first one is validated; every later one is
 */
export function openStates(
  sdl: string,
  resolveSource: ResolveDataSource,
  { validate = true, ...options }: LoadOptions = {},
): States {
  const users = new Map<State, number>();
  let current = open(sdl, {}, validate);

  function open(sdl: string, before: DataSources, validate = true): State {
    const supergraph = loadSupergraph(sdl, { ...options, validate });
    const sources = supergraph.subgraphs.map((subgraph) => {
      const source = resolveSource(subgraph, before[subgraph.name]);
      if (!source) throw new Error(`the supergraph names a subgraph that is not here: ${subgraph.name}`);
      return [subgraph.name, source] as const;
    });
    return { supergraph, sources: Object.fromEntries(sources) };
  }

  /** Closes the sources that no state in use shares with this one. */
  async function retire(state: State): Promise<void> {
    if (state === current || (users.get(state) ?? 0) > 0) return;
    const used = new Set([current, ...users.keys()].flatMap(({ sources }) => Object.values(sources)));
    const unused = Object.values(state.sources).filter((source) => !used.has(source));
    await Promise.all(unused.map(async (source) => source.close?.()));
  }

  return {
    current: () => current,
    retain(state) {
      users.set(state, (users.get(state) ?? 0) + 1);
      return () => {
        const left = (users.get(state) ?? 1) - 1;
        if (left > 0) users.set(state, left);
        else users.delete(state);
        if (left === 0 && state !== current) retire(state).catch(() => undefined); // its sockets close anyway
      };
    },
    load(sdl) {
      const before = current;
      current = open(sdl, before.sources);
      retire(before).catch(() => undefined);
    },
    async close() {
      await Promise.all(Object.values(current.sources).map(async (source) => source.close?.()));
    },
  };
}
