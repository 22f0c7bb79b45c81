import type { FetchNode, PlanNode, QueryPlan } from '@apollo/query-planner';
import { markFailed, traced } from '@foyer/shared/telemetry/tracing';
import { GraphQLError } from 'graphql';

import type { Answer, DataSources } from '@foyer/shared/graphql/data-source';
import type { OperationContext } from '@foyer/shared/graphql/operation-context';
import { Bare, isData, merge, own, type Data } from '../plan/data.ts';
import { placesAt, type Path } from '../plan/places.ts';
import { represent, type Representations } from '../plan/representations.ts';
import { rewrite } from '../plan/rewrites.ts';
import type { Types } from '../plan/types.ts';

interface Run {
  types: Types;
  sources: DataSources;
  context: OperationContext;
  variables: Readonly<Record<string, unknown>>;
  /** The defaults of variables that the client left out. */
  defaults: Readonly<Record<string, unknown>>;
}

/** The state of an execution: the data fetched so far, and the errors. */
interface Execution extends Run {
  whole: Data;
  errors: GraphQLError[];
}

/** Where in the data a step of the plan works. */
interface Cursor {
  path: Path;
  data: unknown;
}

/**
 * Executes the fetches of a plan, and merges their data.
 *
 * Its answers are exactly those of @apollo/gateway's executor; but it makes no traces for Apollo's services, and
 * sends each entity to a subgraph once, however often it occurs.
 *
 * @returns also data that the client did not select: keys, type names, required fields
 */
export async function executePlan(run: Run, { node }: QueryPlan): Promise<{ data: Data; errors: GraphQLError[] }> {
  const execution: Execution = { ...run, whole: new Bare(), errors: [] };
  if (node) await executeNode(execution, node as PlanNode, { path: [], data: execution.whole });
  return { data: execution.whole, errors: execution.errors };
}

async function executeNode(execution: Execution, node: PlanNode, cursor: Cursor): Promise<void> {
  switch (node.kind) {
    case 'Fetch':
      return executeFetch(execution, node, cursor).catch((error: unknown) => {
        execution.errors.push(error instanceof GraphQLError ? error : unexpected(error));
      });
    case 'Sequence':
      for (const step of node.nodes) await executeNode(execution, step, cursor);
      return;
    case 'Parallel':
      await Promise.all(node.nodes.map((branch) => executeNode(execution, branch, cursor)));
      return;
    case 'Flatten': {
      const data = dataAt(cursor.data, node.path, 0);
      if (data) await executeNode(execution, node.node, { path: [...cursor.path, ...node.path], data });
      return;
    }
    case 'Condition': {
      const chosen = own(execution.variables, node.condition) ?? execution.defaults[node.condition];
      const branch = chosen ? node.ifClause : node.elseClause;
      if (branch) await executeNode(execution, branch, cursor);
      return;
    }
    case 'Defer':
      throw new Error('the planner is not told to defer');
  }
}

const unexpected = (error: unknown) =>
  new GraphQLError('failed', { originalError: error instanceof Error ? error : new Error(String(error)) });

/** Everything at a path, whose `@` crosses lists, as one flat list. */
function dataAt(value: unknown, path: Path, from: number): unknown {
  if (value === undefined || value === null || from === path.length) return value;
  const step = path[from];
  if (step !== '@') return dataAt(own(value as Data, String(step)), path, from + 1);
  const items = value as unknown[];
  return from + 1 === path.length ? items.flat() : items.flatMap((item) => dataAt(item, path, from + 1));
}

async function executeFetch(execution: Execution, node: FetchNode, cursor: Cursor): Promise<void> {
  const entities = (Array.isArray(cursor.data) ? cursor.data : [cursor.data]).filter(isData);
  if (entities.length === 0) return;
  if (node.requires) return fetchEntities(execution, node, cursor, entities);

  const { data, errors } = await send(execution, node, variablesOf(execution, node));
  for (const error of errors ?? []) {
    execution.errors.push(downstream(error, node, error.path ? [...cursor.path, ...error.path] : undefined));
  }
  if (data) rewrite(execution.types, node.outputRewrites, data);
  for (const entity of entities) merge(entity, data);
}

async function fetchEntities(
  execution: Execution,
  node: FetchNode,
  cursor: Cursor,
  entities: readonly Data[],
): Promise<void> {
  const represented = represent(execution.types, entities, node);
  const { distinct, typenames, places } = represented;
  if (distinct.length === 0) return;
  const variables = { ...variablesOf(execution, node), representations: distinct };
  const { data, errors } = await send(execution, node, variables);
  if (errors) addErrors(execution, { node, cursor, represented }, errors);
  if (!data) return;
  const found = data['_entities'];
  if (!Array.isArray(found) || found.length !== distinct.length) {
    throw new Error(`${node.serviceName} answered ${distinct.length} entities with something else`);
  }
  found.forEach((entity: unknown, at) => {
    if (!isData(entity)) return;
    entity['__typename'] ||= typenames[at];
    rewrite(execution.types, node.outputRewrites, entity);
  });
  for (const { entity, at } of places) merge(entity, found[at]);
}

function variablesOf({ variables }: Execution, { variableUsages = [] }: FetchNode): Record<string, unknown> {
  const used: Record<string, unknown> = {};
  for (const name of variableUsages) {
    const value = own(variables, name);
    if (value !== undefined) used[name] = value;
  }
  return used;
}

function send({ sources, context }: Execution, node: FetchNode, variables: Record<string, unknown>): Promise<Answer> {
  const { operation: query, operationKind: kind, operationName, serviceName: subgraph } = node;
  const source = sources[subgraph];
  if (!source) throw new Error(`there is no subgraph ${subgraph}`);
  const attributes = { 'foyer.subgraph': subgraph, 'graphql.operation.type': kind };
  return traced(`fetch ${subgraph}`, { attributes }, async (span) => {
    const started = performance.now();
    const answer = await source.fetch({ query, kind, operationName, variables }, context);
    context.fetches.push({ subgraph, ms: performance.now() - started });
    if (answer.errors?.[0]) markFailed(span, answer.errors[0]);
    return answer;
  });
}

interface FetchStep {
  node: FetchNode;
  cursor: Cursor;
  represented: Representations;
}

/** An error in an entity becomes an error at each place of that entity. */
function addErrors(execution: Execution, fetched: FetchStep, errors: readonly GraphQLError[]): void {
  const { node, cursor, represented } = fetched;
  let paths: readonly Path[] | undefined;
  for (const error of errors) {
    const [, at, ...rest] = error.path ?? [];
    if (typeof at !== 'number') {
      execution.errors.push(downstream(error, node, error.path && [...cursor.path, ...error.path]));
      continue;
    }
    paths ??= placesAt(execution.whole, cursor.path);
    for (const place of represented.places) {
      if (place.at !== at) continue;
      execution.errors.push(downstream(error, node, [...(paths[place.index] ?? []), ...rest]));
    }
  }
}

function downstream(error: GraphQLError, { serviceName }: FetchNode, path: Path | undefined): GraphQLError {
  const { message, extensions } = error;
  return new GraphQLError(message || `Error while fetching subquery from service "${serviceName}"`, {
    originalError: error,
    path,
    extensions: { code: 'DOWNSTREAM_SERVICE_ERROR', ...extensions, serviceName },
  });
}
