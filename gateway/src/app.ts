import type { Authenticate } from '@foyer/shared/authentication';
import type { Clock } from '@foyer/shared/clock';
import type { Log } from '@foyer/shared/log';
import type { RequestScope } from '@foyer/shared/request';
import type { FastifyPluginAsync } from 'fastify';
import type { ExecutionResult } from 'graphql';

import type { Config } from './config.ts';
import { inProcess, type LocalSubgraph } from './data-sources/in-process.ts';
import { documentRules } from './documents.ts';
import { publicError, publicErrorOf } from './errors.ts';
import { executeOperation, type Operation } from './execute.ts';
import { apolloServer, type SupergraphSource } from './http/apollo.ts';
import type { Example } from './http/landing-page.ts';
import { currentRequest, graphqlRoutes } from './http/routes.ts';
import { operationContext } from './operation-context.ts';
import { subscriptionServer } from './subscriptions/server.ts';
import { loadSupergraph, type Supergraph } from './supergraph.ts';

export { foyerExamples } from './http/examples.ts';
export type { Example } from './http/landing-page.ts';

interface Outside {
  supergraphSdl: string;
  subgraphs: Readonly<Record<string, LocalSubgraph>>;
  authenticate: Authenticate;
  config: Config;
  log: Log;
  clock: Clock;
  /** What the landing page offers to try. */
  examples?: readonly Example[];
}

export interface Gateway {
  /**
   * Runs an operation without HTTP. The document must be valid: it is one of ours, checked against
   * the public schema when it was generated.
   *
   * @returns errors as HTTP clients get them: refusals with code and reason, anything else masked
   */
  execute(operation: Operation, scope: RequestScope): Promise<ExecutionResult>;
  /** `/graphql` over HTTP, and over WebSocket on the same server. */
  routes: FastifyPluginAsync;
  /**
   * Goes on with another supergraph of the same subgraphs. Requests under way end with the one that
   * they began with; streams are ended, and their clients told to subscribe again.
   *
   * @throws when it is not valid, or names a subgraph that is not here; nothing has changed then
   */
  reload(supergraphSdl: string): void;
  /** Ends all streams and connections. */
  stop(): Promise<void>;
}

/** The gateway over subgraphs in this process. */
export async function createGateway(outside: Outside): Promise<Gateway> {
  const { log, subgraphs, supergraphSdl, examples = [] } = outside;
  const sources = Object.fromEntries(
    Object.entries(subgraphs).map(([name, local]) => [name, inProcess(name, local, log)]),
  );
  const supergraphs = supergraphSlot(supergraphSdl, Object.keys(sources));
  const source: SupergraphSource = {
    ...supergraphs,
    execute: (supergraph, operation, context) => executeOperation({ supergraph, sources }, operation, context),
  };
  const needs = {
    ...outside,
    rules: documentRules(outside.config),
    sources,
    supergraph: supergraphs.current,
    execute: executePublicly(source, log),
    formatError: (error: unknown) =>
      publicErrorOf(error, { requestId: currentRequest.getStore()?.requestId ?? 'unknown', log }).toJSON(),
  };
  const server = apolloServer({ ...needs, source, examples });
  await server.start();
  const sockets = subscriptionServer(needs);

  return {
    execute: (operation, scope) => needs.execute(operation, scope, supergraphs.current()),
    async routes(app) {
      await app.register(graphqlRoutes({ ...needs, server }));
      sockets.attach(app.server);
      app.addHook('preClose', sockets.stop); // an open WebSocket would keep the server from closing
    },
    reload(sdl) {
      supergraphs.load(sdl);
      sockets.reloaded();
    },
    async stop() {
      await sockets.stop();
      await server.stop();
    },
  };
}

/** Runs operations for callers that are not ApolloServer, and shows them errors as it would. */
function executePublicly({ execute }: SupergraphSource, log: Log) {
  return async (operation: Operation, scope: RequestScope, supergraph: Supergraph): Promise<ExecutionResult> => {
    const where = { requestId: scope.requestId, log };
    try {
      const result = await execute(supergraph, operation, operationContext(scope));
      return result.errors ? { ...result, errors: result.errors.map((error) => publicError(error, where)) } : result;
    } catch (error) {
      return { errors: [publicErrorOf(error, where)] };
    }
  };
}

/** The supergraph of this moment, and who wants to know of the next. */
function supergraphSlot(sdl: string, known: readonly string[]) {
  const listeners = new Set<(supergraph: Supergraph) => void>();
  let current = open(sdl);

  function open(sdl: string): Supergraph {
    const supergraph = loadSupergraph(sdl);
    const unknown = supergraph.subgraphs.filter(({ name }) => !known.includes(name));
    const names = unknown.map(({ name }) => name).join(', ');
    if (names) throw new Error(`the supergraph names subgraphs that are not here: ${names}`);
    return supergraph;
  }
  return {
    current: () => current,
    onChange(listener: (supergraph: Supergraph) => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    load(sdl: string) {
      current = open(sdl);
      for (const listener of listeners) listener(current);
    },
  };
}
