import { GraphQLDataSourceRequestKind } from '@apollo/gateway/dist/datasources/types.js';
import type { FetchNode, PlanNode, QueryPlan } from '@apollo/query-planner';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';

import type { SubgraphDataSource, SubgraphDataSources } from '../data-sources/subgraph-data-source.ts';
import { Bare, isData, merge, own, type Data } from '../plan/data.ts';
import { withClientNames } from '../plan/client-names.ts';
import { placesAt, type Path } from '../plan/places.ts';
import { represent, type Representations } from '../plan/representations.ts';
import { rewrite } from '../plan/rewrites.ts';
import type { Types } from '../plan/types.ts';
import type { GatewayRequest } from '../request/gateway-request.ts';

interface Run {
  types: Types;
  sources: SubgraphDataSources;
  request: GatewayRequest;
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
 * Its answers are those of @apollo/gateway's executor, except that the type of an entity stays known when a subgraph with an
 * interface object names the interface instead: Apollo's drops the fields of that type then. It makes no traces for Apollo's
 * services, and sends each entity to a subgraph once, however often it occurs.
 *
 * @returns also data that the client did not select: keys, type names, required fields
 */
export async function executePlan(run: Run, { node }: QueryPlan): Promise<{ data: Data; errors: GraphQLError[] }> {
  const execution: Execution = { ...run, whole: new Bare(), errors: [] };
  if (node) await executeNode(execution, node as PlanNode, { path: [], data: execution.whole });
  return { data: execution.whole, errors: execution.errors };
}

/** Done already. */
const nothing = Promise.resolve();

/** No async function: for an event of thousands of subscribers as many of them would wait. */
function executeNode(execution: Execution, node: PlanNode, cursor: Cursor): Promise<void> {
  switch (node.kind) {
    case 'Fetch':
      return executeFetch(execution, node, cursor).catch((error: unknown) => {
        execution.errors.push(error instanceof GraphQLError ? error : unexpected(error));
      });
    case 'Sequence':
      return executeSequence(execution, node.nodes, cursor);
    case 'Parallel':
      return executeParallel(execution, node.nodes, cursor);
    case 'Flatten': {
      const data = dataAt(cursor.data, node.path);
      return data ? executeNode(execution, node.node, { path: [...cursor.path, ...node.path], data }) : nothing;
    }
    case 'Condition': {
      const chosen = own(execution.variables, node.condition) ?? execution.defaults[node.condition];
      const branch = chosen ? node.ifClause : node.elseClause;
      return branch ? executeNode(execution, branch, cursor) : nothing;
    }
    default:
      throw new Error('the planner is not told to defer');
  }
}

async function executeSequence(execution: Execution, steps: readonly PlanNode[], cursor: Cursor): Promise<void> {
  for (const step of steps) await executeNode(execution, step, cursor);
}

async function executeParallel(execution: Execution, branches: readonly PlanNode[], cursor: Cursor): Promise<void> {
  await Promise.all(branches.map((branch) => executeNode(execution, branch, cursor)));
}

const unexpected = (error: unknown) =>
  new GraphQLError('failed', { originalError: error instanceof Error ? error : new Error(String(error)) });

/** Everything at a path, whose `@` crosses lists, as one flat list. */
function dataAt(start: unknown, path: Path): unknown {
  let values: unknown[] = [start];
  let isList = false;
  for (const step of path) {
    const next: unknown[] = [];
    for (const value of values) {
      if (value === undefined || value === null) continue;
      if (step !== '@') next.push(own(value as Data, String(step)));
      else for (const item of value as unknown[]) next.push(item);
    }
    values = next;
    isList ||= step === '@';
  }
  return isList ? values : values[0];
}

async function executeFetch(execution: Execution, node: FetchNode, cursor: Cursor): Promise<void> {
  const entities = (Array.isArray(cursor.data) ? cursor.data : [cursor.data]).filter(isData);
  if (entities.length === 0) return;
  if (node.requires) return fetchEntities(execution, node, cursor, entities);

  const { data, errors } = await send(execution, node, cursor, variablesOf(execution, node));
  for (const error of errors ?? []) {
    execution.errors.push(downstream(error, node, error.path ? [...cursor.path, ...error.path] : undefined));
  }
  if (data) rewrite(execution.types, node.outputRewrites, data);
  for (const entity of entities) merge(entity, data, execution.types);
}

async function fetchEntities(
  execution: Execution,
  node: FetchNode,
  cursor: Cursor,
  entities: readonly Data[],
): Promise<void> {
  const represented = represent(execution.types, entities, node);
  const { distinct, places } = represented;
  if (distinct.length === 0) return;
  const variables = { ...variablesOf(execution, node), representations: distinct };
  const { data, errors } = await send(execution, node, cursor, variables);
  if (errors) addErrors(execution, { node, cursor, represented }, errors);
  if (!data) return;
  const found = data['_entities'];
  if (!Array.isArray(found) || found.length !== distinct.length) {
    throw new Error(`${node.serviceName} answered ${distinct.length} entities with something else`);
  }
  for (const entity of found) rewrite(execution.types, node.outputRewrites, entity);
  for (const { entity, at } of places) merge(entity, found[at], execution.types);
}

function variablesOf({ variables }: Execution, { variableUsages = [] }: FetchNode): Record<string, unknown> {
  const used: Record<string, unknown> = {};
  for (const name of variableUsages) {
    const value = own(variables, name);
    if (value !== undefined) used[name] = value;
  }
  return used;
}

type Answer = ReturnType<SubgraphDataSource['process']>;

function send(
  { sources, request }: Execution,
  { operation: query, operationName, operationDocumentNode: document, serviceName }: FetchNode,
  { path }: Cursor,
  variables: Record<string, unknown>,
): Answer {
  const source = sources[serviceName];
  if (!source) throw new Error(`there is no subgraph ${serviceName}`);
  return source.process({
    kind: GraphQLDataSourceRequestKind.INCOMING_OPERATION,
    request: { query, variables, ...(operationName !== undefined && { operationName }) },
    incomingRequestContext: request,
    context: request.context,
    ...(document && { document }),
    pathInIncomingRequest: [...withClientNames(path)],
  });
}

interface FetchStep {
  node: FetchNode;
  cursor: Cursor;
  represented: Representations;
}

/** An error in an entity becomes an error at each place of that entity. */
function addErrors(execution: Execution, fetched: FetchStep, errors: readonly GraphQLFormattedError[]): void {
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

function downstream(error: GraphQLFormattedError, { serviceName }: FetchNode, path: Path | undefined): GraphQLError {
  const { message, extensions } = error;
  return new GraphQLError(message || `Error while fetching subquery from service "${serviceName}"`, {
    originalError: error instanceof Error ? error : null,
    path: path && withClientNames(path),
    extensions: { code: 'DOWNSTREAM_SERVICE_ERROR', ...extensions, serviceName },
  });
}
