import { kindOf, type Answer, type StreamEvent, type Upstream } from '@foyer/shared/graphql/data-source';
import { afterChange, maskedAtSource, shownAtSource } from '@foyer/shared/graphql/error-masking';
import type { OperationContext } from '@foyer/shared/graphql/operation-context';
import type { Log } from '@foyer/shared/telemetry/log';
import { GraphQLError, OperationTypeNode } from 'graphql';

import type { Config } from '../config.ts';
import type { GatewayRequest } from '../request/gateway-request.ts';
import { errorsIn } from './remote-errors.ts';
import { formatted, type SubgraphDataSource } from './subgraph-data-source.ts';

interface Needs {
  /** Whether clients see all errors of subgraphs, or refusals only. */
  errors: Config['subgraphs']['errors'];
  log: Log;
}

type Subscribe = NonNullable<SubgraphDataSource['subscribe']>;
type ProcessOptions = Parameters<SubgraphDataSource['process']>[0];

/**
 * A data source whose errors are such as clients may see. Every source passes here, also one of the operator; what a source
 * throws that is no GraphQL error is never shown.
 */
export function withPublicErrors(
  subgraph: string,
  source: SubgraphDataSource,
  { errors: mode, log }: Needs,
): SubgraphDataSource {
  const mask = (error: GraphQLError, { scope }: OperationContext) =>
    maskedAtSource(error, { requestId: scope.requestId, log, subgraph });
  const publicError = (error: GraphQLError, context: OperationContext) =>
    mode === 'shown' ? shownAtSource(error) : mask(error, context);
  const thrown = (error: unknown, context: OperationContext) =>
    error instanceof GraphQLError ? publicError(withCode(error), context) : mask(unexpected(error), context);
  const publicAnswer = ({ errors, ...answer }: Answer, context: OperationContext): Answer =>
    errors ? { ...answer, errors: errors.map((error) => publicError(error, context)) } : answer;

  function publicEvents(events: Upstream['events'], context: OperationContext): Upstream['events'] {
    const publicEvent =
      (event: StreamEvent): StreamEvent =>
      async (ofEvent) =>
        publicAnswer(await event(ofEvent), ofEvent);
    const shown = ({ done, value }: IteratorResult<StreamEvent, undefined>): IteratorResult<StreamEvent, undefined> =>
      done ? { done, value } : { done: false, value: publicEvent(value) };
    const failed = (error: unknown) => {
      throw thrown(error, context);
    };
    return {
      next: () => events.next().then(shown, failed),
      async return() {
        await events.return?.();
        return { done: true, value: undefined };
      },
    };
  }

  const subscribing =
    (subscribe: Subscribe): Subscribe =>
    async (fetch, context) => {
      try {
        const opened = await subscribe(fetch, context);
        if ('errors' in opened) return { errors: opened.errors.map((error) => publicError(error, context)) };
        return { events: publicEvents(opened.events, context) };
      } catch (error) {
        return { errors: [thrown(error, context)] };
      }
    };

  return {
    async process(options) {
      if (!('incomingRequestContext' in options)) return source.process(options); // no client caused it
      const context = options.context as OperationContext;
      const told = isAfterChange(options) ? afterChange : (error: GraphQLError) => error;
      try {
        const { errors, ...response } = await source.process(options);
        if (!errors) return response;
        return { ...response, errors: formatted(errorsIn(errors).map((error) => told(publicError(error, context)))) };
      } catch (error) {
        throw told(thrown(error, context));
      }
    },
    ...(source.subscribe && { subscribe: subscribing(source.subscribe.bind(source)) }),
    ...(source.close && { close: source.close.bind(source) }),
  };
}

/** Whether the client's operation is a mutation: its plan sends queries only after what they add to was changed. */
const isAfterChange = (options: ProcessOptions): boolean =>
  kindOf(options.request.query ?? '') === 'query' &&
  'incomingRequestContext' in options &&
  (options.incomingRequestContext as GatewayRequest).operation.operation === OperationTypeNode.MUTATION;

/** ApolloServer gives this code to a thrown error that has none. */
function withCode(error: GraphQLError): GraphQLError {
  const { message, path, extensions } = error;
  if (extensions['code'] !== undefined) return error;
  const coded = { ...extensions, code: 'INTERNAL_SERVER_ERROR' };
  return new GraphQLError(message, { originalError: error, path: path ?? null, extensions: coded });
}

const unexpected = (error: unknown) =>
  new GraphQLError('failed', { originalError: error instanceof Error ? error : new Error(String(error)) });
