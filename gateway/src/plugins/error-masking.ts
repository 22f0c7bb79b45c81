import type { ApolloServerPlugin } from '@apollo/server';
import { publicErrorOf } from '@foyer/shared/graphql/error-masking';
import { currentRequestId, type Log } from '@foyer/shared/telemetry/log';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';

/**
 * ApolloServer's `formatError`: every error that leaves it passes here. Refusals are shown with their reason and the id of
 * the request; anything else is masked, and logged under that id.
 */
export const maskedErrors =
  (log: Log) =>
  (_formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError =>
    publicErrorOf(deepNesting(error) ?? error, { requestId: currentRequestId() ?? '', log }) as GraphQLFormattedError;

/** Logs what a plugin throws where ApolloServer answers 500 to it: what clients get, and `formatError`, has lost its stack. */
export const unexpectedErrors = (log: Log): ApolloServerPlugin => ({
  async unexpectedErrorProcessingRequest({ error }) {
    log.error({ err: error, requestId: currentRequestId() }, 'a plugin failed');
  },
});

/** For brackets nested so deep that the parser runs out of stack. */
function deepNesting(error: unknown): GraphQLError | undefined {
  for (let cause = error; cause instanceof GraphQLError; cause = cause.originalError) {
    if (cause.originalError instanceof RangeError)
      return new GraphQLError('The document nests too deep.', {
        extensions: { code: 'GRAPHQL_PARSE_FAILED', reason: 'MAX_DEPTH' },
      });
  }
  return undefined;
}
