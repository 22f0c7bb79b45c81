import { GraphQLError, type ExecutionResult } from 'graphql';

interface Rules {
  /** Maps the facts of a refusal for the route. */
  refusal?: ((facts: Record<string, unknown>) => Record<string, unknown>) | undefined;
  /** Fields, as paths, whose errors do not count: they are null in the data. */
  mayLack?: readonly string[] | undefined;
}

/**
 * Returns the data of a result.
 *
 * @throws the first error of the result
 */
export function dataOf({ data, errors = [] }: ExecutionResult, { refusal, mayLack = [] }: Rules = {}): object {
  const error = errors.find(({ path }) => !mayLack.includes(path?.join('.') ?? ''));
  if (error && !refusal) throw error;
  if (error) throw new GraphQLError(error.message, { originalError: error, extensions: refusal?.(error.extensions) });
  if (!data) throw new Error('an operation was answered with neither data nor errors');
  return data;
}
