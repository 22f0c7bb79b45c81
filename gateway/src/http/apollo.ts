import { ApolloServer, type ApolloServerOptions, type ApolloServerPlugin } from '@apollo/server';
import {
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginSchemaReportingDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled';
import { Refusal } from '@foyer/shared/errors';
import { GraphQLError, OperationTypeNode, type ExecutionResult, type GraphQLFormattedError } from 'graphql';

import type { Config } from '../config.ts';
import type { DocumentRules } from '../documents.ts';
import type { Operation } from '../execute.ts';
import type { OperationContext } from '../operation-context.ts';
import type { Supergraph } from '../supergraph.ts';
import { landingPage, type Example } from './landing-page.ts';

/** Where ApolloServer gets its schema from, and its answers. */
export interface SupergraphSource {
  current(): Supergraph;
  /** Calls back on each later one; returns how to stop it. */
  onChange(listener: (supergraph: Supergraph) => void): () => void;
  execute(supergraph: Supergraph, operation: Operation, context: OperationContext): Promise<ExecutionResult>;
}

interface Needs {
  config: Config;
  rules: DocumentRules;
  source: SupergraphSource;
  examples: readonly Example[];
  formatError(error: unknown): GraphQLFormattedError;
}

/** GraphQL over HTTP as the specification wants it: content types, status codes, APQ, CSRF prevention. */
export function apolloServer({ config, rules, source, examples, formatError }: Needs): ApolloServer<OperationContext> {
  return new ApolloServer<OperationContext>({
    gateway: asGateway(source),
    introspection: rules.introspection,
    hideSchemaDetailsFromClientErrors: !rules.introspection,
    parseOptions: rules.parseOptions,
    validationRules: [...rules.validationRules],
    csrfPrevention: true,
    allowBatchedHttpRequests: false,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    formatError: (_formatted, error) => formatError(error),
    plugins: [
      operationsOverHttp,
      config.sandbox ? sandbox(examples) : ApolloServerPluginLandingPageDisabled(),
      // Nothing leaves this house, whatever APOLLO_KEY may be set for other programs.
      ApolloServerPluginInlineTraceDisabled(),
      ApolloServerPluginSchemaReportingDisabled(),
      ApolloServerPluginUsageReportingDisabled(),
    ],
  });
}

type GatewayInterface = NonNullable<ApolloServerOptions<OperationContext>['gateway']>;

/**
 * Stands where `new ApolloGateway` would: planner and executor are Apollo's, but each request runs
 * on the supergraph that its document was validated against, also while another one is loaded.
 */
function asGateway({ current, onChange, execute }: SupergraphSource): GatewayInterface {
  const bySchema = new WeakMap<object, Supergraph>();
  const tell = (listener: Parameters<GatewayInterface['onSchemaLoadOrUpdate']>[0], supergraph: Supergraph) => {
    bySchema.set(supergraph.publicSchema, supergraph);
    listener({ apiSchema: supergraph.publicSchema, coreSupergraphSdl: supergraph.sdl });
  };
  const loaders = new Set<() => void>();
  return {
    onSchemaLoadOrUpdate(listener) {
      const load = () => tell(listener, current());
      loaders.add(load);
      const stop = onChange((supergraph) => tell(listener, supergraph));
      return () => {
        loaders.delete(load);
        stop();
      };
    },
    async load() {
      for (const load of loaders) load();
      return {
        executor: ({ schema, document, request, context }) =>
          execute(bySchema.get(schema) ?? current(), { document, ...request }, context as OperationContext),
      };
    },
    async stop() {},
  };
}

const operationsOverHttp: ApolloServerPlugin<OperationContext> = {
  async requestDidStart() {
    return {
      async didResolveOperation({ operation, contextValue }) {
        if (operation?.operation === OperationTypeNode.SUBSCRIPTION) throw subscriptionOverHttp();
        if (operation?.operation === OperationTypeNode.MUTATION && contextValue.foreign) throw foreignOrigin();
      },
    };
  },
};

const withStatus = ({ message, extensions }: Refusal, status: number, headers: Record<string, string> = {}) =>
  new GraphQLError(message, {
    extensions: { ...extensions, http: { status, headers: new Map(Object.entries(headers)) } },
  });

const subscriptionOverHttp = () =>
  withStatus(
    new Refusal(
      'BAD_USER_INPUT',
      'SUBSCRIPTION_OVER_HTTP',
      'Subscriptions run over WebSocket at this address, by the protocol graphql-transport-ws.',
    ),
    405,
  );

const foreignOrigin = () =>
  withStatus(new Refusal('FORBIDDEN', 'FOREIGN_ORIGIN', 'A page of another site may not use your session.'), 403);

/** A credential that was sent and does not hold. */
export const refusedCredential = (refusal: Refusal) =>
  withStatus(refusal, 401, { 'www-authenticate': 'Bearer error="invalid_token"' });

function sandbox(examples: readonly Example[]): ApolloServerPlugin<OperationContext> {
  const html = landingPage(examples);
  return { serverWillStart: async () => ({ renderLandingPage: async () => ({ html }) }) };
}
