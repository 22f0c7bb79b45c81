import type { QueryPlan } from '@apollo/query-planner';
import { badInput } from '@foyer/shared/errors';
import { assertMayChange } from '@foyer/shared/auth/viewer';
import { GraphQLError, getVariableValues, OperationTypeNode, type DocumentNode, type ExecutionResult } from 'graphql';

import type { DataSources } from '@foyer/shared/graphql/data-source';
import { timeOperation } from '@foyer/shared/graphql/metrics';
import type { OperationContext } from '@foyer/shared/graphql/operation-context';
import { nameOperation } from '@foyer/shared/graphql/operation-span';
import { executePlan } from './execute-plan.ts';
import { introspect } from './introspect.ts';
import { isRequired, type SelectedField } from '../plan/shape.ts';
import { shapeResponse } from '../plan/shape-response.ts';
import type { State } from '../supergraph/state.ts';
import type { Planned, Supergraph } from '../supergraph/supergraph.ts';
import { refuseUnusableText } from '../input/text.ts';
import { wrongVariable } from '@foyer/shared/graphql/variable-errors';

/** An operation whose document is valid. */
export interface Operation {
  document: DocumentNode;
  variables?: Record<string, unknown> | undefined;
  operationName?: string | undefined;
}

/** Executes a query or mutation by its plan. HTTP, WebSocket and REST all end here. */
export async function executeOperation(
  { supergraph, sources }: State,
  { document, operationName, variables }: Operation,
  context: OperationContext,
): Promise<ExecutionResult> {
  try {
    const planned = supergraph.plan(document, operationName);
    nameOperation(context.started, planned.operation);
    requireVariables(supergraph, planned, variables);
    if (planned.operation.operation === OperationTypeNode.MUTATION) assertMayChange(context.scope.viewer);
    return await runPlan({ supergraph, sources }, planned, planned.queryPlan, variables, context);
  } catch (error) {
    if (error instanceof GraphQLError) return { errors: [error] };
    throw error;
  }
}

/** Executes the plan of an operation, or the part of a subscription's plan that follows an event. */
export async function runPlan(
  { supergraph, sources }: { supergraph: Supergraph; sources: DataSources },
  planned: Planned,
  queryPlan: QueryPlan,
  given: Record<string, unknown> | undefined,
  context: OperationContext,
): Promise<ExecutionResult> {
  const { operation, defaults, rootType } = planned;
  const done = timeOperation(operation.operation, operation.name?.value);
  const variables = given ?? {};
  let failed = true;
  try {
    const fetched = await executePlan({ types: supergraph.types, sources, context, variables, defaults }, queryPlan);
    const shaping = {
      apiSchema: supergraph.apiSchema,
      rootType,
      variables: { ...defaults, ...variables },
      introspect: (field: SelectedField) => introspect(supergraph, operation, field, variables),
    };
    const { data, errors } = shapeResponse(shaping, planned.shape, fetched.data);
    failed = fetched.errors.length > 0;
    if (failed) return { errors: fetched.errors, data };
    // A null in a non-null field that no subgraph explained is reported in `extensions`, as @apollo/gateway does.
    return errors.length > 0 ? { data, extensions: { valueCompletion: errors } } : { data };
  } finally {
    done(failed);
  }
}

/**
 * Checks the variables of an operation.
 *
 * @throws {Refusal} that names the invalid ones, without suggestions: those would reveal names of the schema
 */
export function requireVariables(
  { publicSchema }: Supergraph,
  { operation, shape }: Planned,
  variables: Record<string, unknown> | undefined,
): void {
  refuseUnusableText(variables);
  const definitions = operation.variableDefinitions ?? [];
  const { errors } = getVariableValues(publicSchema, definitions, variables ?? {}, {
    maxErrors: 10,
    hideSuggestions: true,
  });
  if (errors) throw badInput(errors.map(wrongVariable));
  for (const { variable } of definitions) {
    const name = variable.name.value;
    if (variables?.[name] === null && isRequired(name, shape)) throw mayNotBeNull(name);
  }
}

const mayNotBeNull = (name: string) => badInput([{ path: name, message: 'may be left out, but must not be null' }]);
