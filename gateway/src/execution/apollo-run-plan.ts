import { buildOperationContext, executeQueryPlan } from '@apollo/gateway';

import { runPlan, type RunPlan } from './execute.ts';

type OperationContext = ReturnType<typeof buildOperationContext>;

const contexts = new WeakMap<object, OperationContext>();

/**
 * Runs a plan with the executor of `@apollo/gateway` (`GATEWAY_EXECUTOR=apollo`). Ours runs those that leave out what the
 * caller may not see: Apollo's would show of it what was fetched as a key; and those that have names of their own for fields of
 * the client.
 */
export const apolloRunPlan: RunPlan = async (state, planned, queryPlan, request) => {
  if (planned.unauthorized || planned.renamed) return runPlan(state, planned, queryPlan, request);
  const { supergraph, sources } = state;
  let operation = contexts.get(planned);
  if (!operation) {
    const { operationName } = request.request;
    operation = buildOperationContext({
      schema: supergraph.publicSchema,
      operationDocument: request.document,
      ...(operationName !== undefined && { operationName }),
    });
    contexts.set(planned, operation);
  }
  const schemas = [supergraph.fullSchema(), supergraph.apiSchema] as const;
  return executeQueryPlan(queryPlan, sources, request, operation, ...schemas);
};
