import { execute, parse, type DocumentNode, type ExecutionResult, type GraphQLSchema } from 'graphql';

import { asResponse, type SubgraphDataSource } from '../data-sources/subgraph-data-source.ts';
import { apolloRunPlan } from '../execution/apollo-run-plan.ts';
import { runPlan, type RunPlan } from '../execution/execute.ts';
import { loadSupergraph } from './load-supergraph.ts';
import { gatewayRequest } from './gateway-request.ts';

/** The values of `GATEWAY_EXECUTOR`: ours first. */
export const executorNames = ['foyer', 'apollo'] as const;

/** Returns the answer of a subgraph, or another one, or later. */
export type Spoil = (subgraph: string, answer: ExecutionResult) => ExecutionResult | Promise<ExecutionResult>;

interface Subgraphs {
  supergraphSdl: string;
  schemas: Readonly<Record<string, GraphQLSchema>>;
}

/** The executor of @apollo/gateway and ours, with the same plans and the same subgraphs in this process. */
export function executors({ supergraphSdl, schemas }: Subgraphs) {
  const supergraph = loadSupergraph(supergraphSdl);

  async function ask(subgraph: string, query: string, variableValues: Record<string, unknown>, spoil: Spoil) {
    const schema = schemas[subgraph];
    if (!schema) throw new Error(`there is no subgraph ${subgraph}`);
    const answer = await execute({ schema, document: parse(query), variableValues });
    return spoil(subgraph, JSON.parse(JSON.stringify(answer)) as ExecutionResult);
  }

  const answerOf =
    (run: RunPlan) =>
    async (document: DocumentNode, variables: Record<string, unknown>, spoil: Spoil): Promise<ExecutionResult> => {
      const planned = supergraph.plan(document, undefined);
      const source = (name: string): SubgraphDataSource => ({
        process: async ({ request }) =>
          asResponse(await ask(name, request.query ?? '', request.variables ?? {}, spoil)),
      });
      const sources = Object.fromEntries(supergraph.subgraphs.map(({ name }) => [name, source(name)]));
      return run({ supergraph, sources }, planned, planned.queryPlan, gatewayRequest(document, variables));
    };
  return { supergraph, stock: answerOf(apolloRunPlan), ours: answerOf(runPlan) };
}

/** What two executors must agree on. The order of errors is that of the fetches, which run side by side. */
export const comparable = ({ data, errors, extensions }: ExecutionResult) => ({
  json: JSON.stringify(data),
  errors: errors?.map(({ message, path, extensions: { code } }) => JSON.stringify({ message, path, code })).toSorted(),
  completion: JSON.stringify(extensions?.['valueCompletion']),
});
