import { loggingAbout } from '../telemetry/log.ts';
import {
  contextFrom,
  markFailed,
  mayTrace,
  startSpan,
  traced,
  withContext,
  type Carrier,
  type Started,
} from '../telemetry/tracing.ts';
import type { OperationDefinitionNode } from 'graphql';

import { boundedName, shortName } from './metrics.ts';
import type { OperationContext } from './operation-context.ts';

/**
 * Begins the span of an operation when its request arrives; its name is set once it is known.
 *
 * @param from the client's trace, where it is not in the headers of an HTTP request
 */
export function beginOperation(context: OperationContext, from?: Carrier): void {
  if (mayTrace()) context.started = startSpan('graphql', {}, from && contextFrom(from));
}

/** Runs a part of an operation: its log lines are about this request, and its spans belong to the operation's. */
export const during = <Result>({ scope, started }: OperationContext, run: () => Result): Result =>
  loggingAbout({ requestId: scope.requestId }, () => withContext(started?.context, run));

export function endOperation({ started }: OperationContext, failure?: unknown): void {
  if (failure !== undefined) markFailed(started?.span, failure);
  started?.span.end();
}

/** Runs a whole operation in its span. */
export const asOperation = <Result>(context: OperationContext, run: () => Promise<Result>): Promise<Result> =>
  mayTrace() ? spanned(context, run) : run();

async function spanned<Result>(context: OperationContext, run: () => Promise<Result>): Promise<Result> {
  beginOperation(context);
  try {
    const result = await during(context, run);
    endOperation(context);
    return result;
  } catch (error) {
    endOperation(context, error);
    throw error;
  }
}

/** Names the span of an operation; clients choose names, so only a bounded number of them is used. */
export function nameOperation(started: Started | undefined, { operation, name }: OperationDefinitionNode): void {
  if (!started) return;
  started.span.updateName(`${operation} ${boundedName(name?.value)}`);
  started.span.setAttributes({
    'graphql.operation.type': operation,
    ...(name && { 'graphql.operation.name': shortName(name.value) }),
  });
}

/** Runs one event of a subscription in a trace of its own that links to the opening, which may be hours old. */
export const asEvent = <Result>(
  context: OperationContext,
  { operation, name }: OperationDefinitionNode,
  opening: Carrier,
  run: () => Promise<Result>,
): Promise<Result> =>
  during(context, () =>
    traced(
      `${operation} ${boundedName(name?.value)} event`,
      { attributes: { 'graphql.operation.type': operation }, apartFrom: opening },
      run,
    ),
  );
