import type { ForwardedHeaders, OperationContext } from '@foyer/shared/graphql/operation-context';
import { operationContext } from '@foyer/shared/graphql/operation-context';
import type { RequestScope } from '@foyer/shared/http/request';
import type { DocumentNode, ExecutionResult } from 'graphql';

/** ApolloServer's context value: one operation on its way through the plugins and the plan. */
export interface GatewayContext extends OperationContext {
  /** Whether the transport can carry the results of a subscription. */
  readonly carriesStreams: boolean;
  /** Whether the request may not change anything: a GET. */
  readonly readOnly: boolean;
  /** Whether the document is one of ours, and not a client's: it is neither limited nor counted. */
  readonly internal: boolean;
  /** What the plugins and the executor leave for the transport: ApolloServer copies the context, but not what is in it. */
  readonly outcome: Outcome;
}

/** What an operation has come to. */
interface Outcome {
  document?: DocumentNode;
  /** The results of a subscription. */
  results?: AsyncIterableIterator<ExecutionResult>;
  /** Whether the operation was executed; otherwise it was refused. */
  executed?: boolean;
}

interface Options {
  forwarded?: ForwardedHeaders;
  carriesStreams?: boolean;
  readOnly?: boolean;
  internal?: boolean;
}

/** The context of an operation, by whatever transport it comes. */
export const gatewayContext = (
  scope: RequestScope,
  { forwarded, carriesStreams = false, readOnly = false, internal = false }: Options = {},
): GatewayContext => ({ ...operationContext(scope, forwarded), carriesStreams, readOnly, internal, outcome: {} });
