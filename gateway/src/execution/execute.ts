import type { QueryPlan } from '@apollo/query-planner';
import { assertMayChange } from '@foyer/shared/auth/viewer';
import { badInput } from '@foyer/shared/errors';
import { getVariableValues, OperationTypeNode, type ExecutionResult } from 'graphql';

import { wrongVariable } from '@foyer/shared/graphql/variable-errors';
import { refuseUnusableText } from '../input/text.ts';
import { isRequired, type SelectedField } from '../plan/shape.ts';
import { shapeResponse } from '../plan/shape-response.ts';
import type { GatewayRequest } from '../request/gateway-request.ts';
import type { State } from '../supergraph/state.ts';
import type { Planned, Supergraph } from '../supergraph/supergraph.ts';
import { executePlan } from './execute-plan.ts';
import { introspect } from './introspect.ts';

/** Executes the plan of an operation, or the part of a subscription's plan that follows an event. */
export type RunPlan = (
  state: State,
  planned: Planned,
  queryPlan: QueryPlan,
  request: GatewayRequest,
) => Promise<ExecutionResult>;

/** Executes a query or mutation by its plan. */
export async function executeOperation(
  runPlan: RunPlan,
  state: State,
  planned: Planned,
  request: GatewayRequest,
): Promise<ExecutionResult> {
  requireVariables(state.supergraph, planned, request.request.variables);
  if (planned.operation.operation === OperationTypeNode.MUTATION) assertMayChange(request.context.scope.viewer);
  return runPlan(state, planned, planned.queryPlan, request);
}

/** Runs a plan with our executor. */
export const runPlan: RunPlan = async ({ supergraph, sources }, planned, queryPlan, request) => {
  const { operation, defaults, rootType } = planned;
  const variables = request.request.variables ?? {};
  const fetched = await executePlan({ types: supergraph.types, sources, request, variables, defaults }, queryPlan);
  const shaping = {
    apiSchema: supergraph.apiSchema,
    rootType,
    variables: { ...defaults, ...variables },
    introspect: (field: SelectedField) => introspect(supergraph, operation, field, variables),
  };
  const { data, errors } = shapeResponse(shaping, planned.shape, fetched.data);
  const failures = [...(planned.unauthorized?.(shaping.variables) ?? []), ...fetched.errors];
  if (failures.length > 0) return { errors: failures, data };
  // A null in a non-null field that no subgraph explained is reported in `extensions`, as @apollo/gateway does.
  return errors.length > 0 ? { data, extensions: { valueCompletion: errors } } : { data };
};

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
