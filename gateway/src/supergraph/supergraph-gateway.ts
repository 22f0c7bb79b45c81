import { env } from 'node:process';

import {
  ApolloGateway,
  type SupergraphManager,
  type SupergraphSdlHook,
  type SupergraphSdlUpdateFunction,
} from '@apollo/gateway';
import { Supergraph } from '@apollo/federation-internals';
import { ConfigError } from '@foyer/shared/config/config';
import type { Log } from '@foyer/shared/telemetry/log';
import { GraphQLError, print } from 'graphql';

import { recorded } from '../data-sources/recorded.ts';
import type { SubgraphDataSource } from '../data-sources/subgraph-data-source.ts';
import type { Execute } from '../request/gateway-request.ts';
import type { States } from './state.ts';
import { readSupergraph } from './read-supergraph.ts';
import { supergraphOf, type SupergraphOptions } from './supergraph.ts';

type Load = ApolloGateway['load'];

/** Makes the data source of a subgraph; undefined for an unknown one. */
export type MakeDataSource = (subgraph: { name: string; url: string }) => SubgraphDataSource | undefined;

interface Options {
  /** The SDL, or one of Apollo's managers, such as `IntrospectAndCompose`. */
  supergraphSdl: string | SupergraphManager | SupergraphSdlHook;
  states: States;
  /** Whether the first supergraph was validated already, when it was composed; every later one is validated here. */
  validated: boolean;
  makeDataSource: MakeDataSource;
  execute: Execute;
  /** Called when a supergraph replaces another. */
  onReplaced(): void;
  supergraph: SupergraphOptions;
  /** Whether ApolloGateway may report to Apollo. */
  telemetry: boolean;
  log: Log;
}

/**
 * ApolloGateway with another executor. It loads, holds and replaces the supergraph; the executor finds the state of a
 * request by the schema that its document was validated against (`states.of`), so that a reload never splits a request
 * between two supergraphs.
 */
export class SupergraphGateway extends ApolloGateway {
  readonly #states: States;
  /**
   * By subgraph, as ApolloGateway keeps them: one that comes back at the same address has the same. Where the address has
   * changed, requests under way still use the old one, whose idle connections close by themselves.
   */
  readonly #sources: Map<string, SubgraphDataSource>;
  readonly #execute: Execute;
  readonly #reloadable: ReloadableSupergraph | undefined;

  constructor({ supergraphSdl, states, validated, makeDataSource, telemetry, log, ...options }: Options) {
    // ApolloGateway has no other switch for its hourly report.
    if (!telemetry) env['APOLLO_TELEMETRY_DISABLED'] = 'true';
    const manager =
      typeof supergraphSdl === 'string' ? new ReloadableSupergraph(supergraphSdl, validated) : readable(supergraphSdl);
    const sources = new Map<string, SubgraphDataSource>();
    super({
      supergraphSdl: manager,
      validateSupergraph: !validated,
      buildService({ name, url = '' }) {
        const source = makeDataSource({ name, url });
        if (!source) throw noAddress(name);
        sources.set(name, recorded(name, source));
        return source;
      },
      logger: withoutMissingUrls(apolloLogger(log)),
    });
    this.#states = states;
    this.#sources = sources;
    this.#reloadable = manager instanceof ReloadableSupergraph ? manager : undefined;
    this.#execute = options.execute;
    // Called before ApolloServer's listener, so that the schema of a request always has a state.
    this.onSchemaLoadOrUpdate(({ apiSchema }) => {
      // The planner of ApolloGateway: a second one would double the memory of a supergraph.
      const { queryPlanner } = this.__testing();
      if (!queryPlanner) throw new Error('ApolloGateway made no planner');
      const names = queryPlanner.supergraph.subgraphsMetadata().map(({ name }) => name);
      const replaced = states.replace({
        supergraph: supergraphOf(queryPlanner, apiSchema, options.supergraph),
        sources: Object.fromEntries([...sources].filter(([name]) => names.includes(name))),
      });
      if (replaced) options.onReplaced();
    });
  }

  override async load(options: Parameters<Load>[0]): ReturnType<Load> {
    const loaded = await super.load(options).catch((error: unknown) => {
      throw this.#reloadable ? asUnusable(error) : error;
    });
    if (!this.schema) throw new Error('ApolloGateway loaded no schema');
    this.#states.of(this.schema); // ApolloGateway only logs what its listeners throw
    return { ...loaded, executor: this.#execute };
  }

  /** @throws when the SDL is no supergraph, or names an unknown subgraph; then nothing has changed */
  reload(supergraphSdl: string): void {
    if (!this.#reloadable) throw new Error('this supergraph comes from a manager, which replaces it');
    this.#reloadable.replace(supergraphSdl);
  }

  override async stop(): Promise<void> {
    await super.stop();
    await Promise.all(this.#sources.values().map(async (source) => source.close?.()));
  }
}

const noAddress = (name: string) =>
  new ConfigError(
    `the supergraph has no http:// or https:// address of the subgraph ${name}: name one, in it or in overrideSubgraphUrl.${name}`,
  );

/** What reads a supergraph throws plain errors, too, such as for one that lacks a directive. */
const asUnusable = (error: unknown) =>
  error instanceof GraphQLError || error instanceof ConfigError || !(error instanceof Error)
    ? error
    : new GraphQLError(error.message, { originalError: error });

type Logger = ReturnType<typeof apolloLogger>;

/** ApolloGateway reports a subgraph without an address in the supergraph also where it has another one, and needs none. */
const withoutMissingUrls = (logger: Logger): Logger => ({
  ...logger,
  error: (message) => {
    if (!/^Service definition for service .* is missing a url$/.test(String(message))) logger.error(message);
  },
});

/** Gives ApolloGateway its first supergraph, and later ones. */
class ReloadableSupergraph implements SupergraphManager {
  readonly #first: string;
  #update: SupergraphSdlUpdateFunction | undefined;

  /** @param validated whether it was composed for this gateway */
  constructor(first: string, validated: boolean) {
    // Parsing and printing takes a while.
    this.#first = validated && !first.includes('for: SECURITY') ? first : print(readSupergraph(first));
  }

  initialize: SupergraphManager['initialize'] = async ({ update }) => {
    this.#update = update;
    return { supergraphSdl: this.#first };
  };

  replace(supergraphSdl: string): void {
    const supergraph = readSupergraph(supergraphSdl);
    Supergraph.build(supergraph, { validateSupergraph: true }); // ApolloGateway may be told not to validate
    this.#update?.(print(supergraph));
  }
}

/** A manager of Apollo's whose supergraphs may have features that this gateway enforces itself. */
function readable(manager: SupergraphManager | SupergraphSdlHook): SupergraphManager {
  const initialize: SupergraphSdlHook =
    typeof manager === 'function' ? manager : (options) => manager.initialize(options);
  const read = (sdl: string) => print(readSupergraph(sdl));
  return {
    async initialize(options) {
      const { supergraphSdl, ...others } = await initialize({
        ...options,
        update: (sdl) => options.update(read(sdl)),
        healthCheck: (sdl) => options.healthCheck(read(sdl)),
      });
      return { ...others, supergraphSdl: read(supergraphSdl) };
    },
  };
}

/** Our log, as the packages of Apollo use one. */
export const apolloLogger = (log: Log) => ({
  debug: (message?: unknown) => log.debug(String(message)),
  info: (message?: unknown) => log.debug(String(message)),
  warn: (message?: unknown) => log.warn(String(message)),
  error: (message?: unknown) => log.error(String(message)),
});
