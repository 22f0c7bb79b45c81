import type { DataSource, DataSources } from '@foyer/shared/graphql/data-source';
import { loadSupergraph, type LoadOptions, type Supergraph } from './supergraph.ts';

/** A supergraph with the ways to its subgraphs: what one operation runs on, from its first step to its last. */
export interface State {
  supergraph: Supergraph;
  sources: DataSources;
}

export interface States {
  current(): State;
  /**
   * Runs something on the state of this moment, which keeps its connections until it is done.
   *
   * @returns how to say that it is done
   */
  hold(state: State): () => void;
  /** @throws when the SDL is no supergraph, or names a subgraph that can't be reached; nothing has changed then */
  load(sdl: string): void;
  close(): Promise<void>;
}

/** How a subgraph is reached; undefined when it can't be. A source that serves the next state too is the same object. */
export type ResolveDataSource = (
  subgraph: { name: string; url: string },
  before: DataSource | undefined,
) => DataSource | undefined;

/**
 * The state of this moment. One that was replaced is kept for whoever began with it, and closed after them.
 *
 * @param validate whether the first one is validated; every later one is
 */
export function openStates(
  sdl: string,
  reach: ResolveDataSource,
  { validate = true, ...options }: LoadOptions = {},
): States {
  const holders = new Map<State, number>();
  let current = open(sdl, {}, validate);

  function open(sdl: string, before: DataSources, validate = true): State {
    const supergraph = loadSupergraph(sdl, { ...options, validate });
    const sources = supergraph.subgraphs.map((subgraph) => {
      const source = reach(subgraph, before[subgraph.name]);
      if (!source) throw new Error(`the supergraph names a subgraph that is not here: ${subgraph.name}`);
      return [subgraph.name, source] as const;
    });
    return { supergraph, sources: Object.fromEntries(sources) };
  }

  /** Lets go of what a state no longer in use does not share with those that are. */
  async function retire(state: State): Promise<void> {
    if (state === current || (holders.get(state) ?? 0) > 0) return;
    const used = new Set([current, ...holders.keys()].flatMap(({ sources }) => Object.values(sources)));
    const unused = Object.values(state.sources).filter((source) => !used.has(source));
    await Promise.all(unused.map(async (source) => source.close?.()));
  }

  return {
    current: () => current,
    hold(state) {
      holders.set(state, (holders.get(state) ?? 0) + 1);
      return () => {
        const left = (holders.get(state) ?? 1) - 1;
        if (left > 0) holders.set(state, left);
        else holders.delete(state);
        if (left === 0 && state !== current) retire(state).catch(() => undefined); // its sockets are going anyway
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
