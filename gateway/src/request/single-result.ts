import type { GraphQLResponse } from '@apollo/server';
import type { ExecutionResult } from 'graphql';

/** The result of an operation; its errors are those that `formatError` made. */
export function singleResult({ body }: GraphQLResponse): ExecutionResult {
  if (body.kind !== 'single') throw new Error('nothing here is delivered incrementally');
  return body.singleResult as ExecutionResult;
}
