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
 * Begins the span of an operation, from the moment that somebody asks for it; its name comes when it is known.
 *
 * @param from the trace that the client has sent, where it does not stand in the headers of an HTTP request
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

/** All of it in one go. */
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

/** Says what kind of operation the span is of; clients choose names, so that not every name becomes that of a span. */
export function nameOperation(started: Started | undefined, { operation, name }: OperationDefinitionNode): void {
  if (!started) return;
  started.span.updateName(`${operation} ${boundedName(name?.value)}`);
  started.span.setAttributes({
    'graphql.operation.type': operation,
    ...(name && { 'graphql.operation.name': shortName(name.value) }),
  });
}

/** One event of a subscription: a trace of its own that points to the opening, which may have been hours ago. */
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
