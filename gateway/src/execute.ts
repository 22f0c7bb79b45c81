import { executeQueryPlan, type ServiceMap } from '@apollo/gateway';
import type { QueryPlan } from '@apollo/query-planner';
import { Refusal } from '@foyer/shared/errors';
import type { Log } from '@foyer/shared/log';
import { assertMayChange } from '@foyer/shared/viewer';
import { GraphQLError, getVariableValues, OperationTypeNode, type DocumentNode, type ExecutionResult } from 'graphql';

import type { DataSources } from './data-sources/data-source.ts';
import { timeOperation } from './metrics.ts';
import type { OperationContext } from './operation-context.ts';
import type { Planned, Supergraph } from './supergraph.ts';
import { refuseUnusableText } from './text.ts';

/** An operation whose document is known to be valid. */
export interface Operation {
  document: DocumentNode;
  variables?: Record<string, unknown> | undefined;
  operationName?: string | undefined;
}

interface Needs {
  supergraph: Supergraph;
  sources: DataSources;
  log: Log;
}

/** Runs a query or mutation through its plan. Every path into the house ends here: HTTP, WebSocket, REST. */
export async function executeOperation(
  needs: Needs,
  operation: Operation,
  context: OperationContext,
): Promise<ExecutionResult> {
  try {
    const planned = needs.supergraph.plan(operation.document, operation.operationName);
    requireVariables(needs.supergraph, planned, operation.variables);
    if (planned.operation.operation.operation === OperationTypeNode.MUTATION) assertMayChange(context.scope.viewer);
    return await runPlan(needs, planned, planned.queryPlan, operation.variables, context);
  } catch (error) {
    if (error instanceof GraphQLError) return { errors: [error] };
    throw error;
  }
}

/** Runs a plan: that of a whole operation, or the part of a subscription's that follows an event. */
export async function runPlan(
  { supergraph, sources, log }: Needs,
  { operation }: Planned,
  queryPlan: QueryPlan,
  variables: Record<string, unknown> | undefined,
  context: OperationContext,
): Promise<ExecutionResult> {
  const done = timeOperation(operation.operation.operation, operation.operation.name?.value);
  let failed = true;
  try {
    const result = await executeQueryPlan(
      queryPlan,
      sources as unknown as ServiceMap,
      requestContext({ request: { variables: variables ?? {} }, context, logger: log, metrics: {} }),
      operation,
      supergraph.fullSchema,
      supergraph.apiSchema,
    );
    failed = result.errors !== undefined;
    return result;
  } finally {
    done(failed);
  }
}

type RequestContext = Parameters<typeof executeQueryPlan>[2];

/** The executor reads only these four of what a request context has; `metrics` is written to when a subgraph fails. */
const requestContext = (
  read: {
    [Key in 'request' | 'context' | 'metrics']: RequestContext[Key];
  } & { logger: Log },
) => read as unknown as RequestContext;

/** @throws {Refusal} naming the variables that can't be used */
export function requireVariables(
  { publicSchema }: Supergraph,
  { operation: { operation } }: Planned,
  variables: Record<string, unknown> | undefined,
): void {
  refuseUnusableText(variables);
  const { errors } = getVariableValues(publicSchema, operation.variableDefinitions ?? [], variables ?? {}, {
    maxErrors: 10,
  });
  const [first] = errors ?? [];
  if (!first) return;
  throw new Refusal('BAD_USER_INPUT', 'VALIDATION_FAILED', first.message, {
    ...(errors && errors.length > 1 && { errors: errors.map(({ message }) => ({ path: 'variables', message })) }),
  });
}
