import { operationFromDocument, type Operation, type Schema } from '@apollo/federation-internals';
import type { QueryPlan, QueryPlanner } from '@apollo/query-planner';
import { Refusal } from '@foyer/shared/errors';
import type { RequestScope } from '@foyer/shared/http/request';
import { traced } from '@foyer/shared/telemetry/tracing';
import { GraphQLError, Kind, type DocumentNode, type GraphQLSchema, type OperationDefinitionNode } from 'graphql';

import { planVariants, type Variable, type VariantOptions } from '../authorization/plan-variants.ts';
import { firstOf } from '../documents/equal-documents.ts';
import { costsOf, type Cost } from '../cost/cost.ts';
import { clientNames } from '../plan/client-names.ts';
import { refuseRepeatedChanges } from '../plan/repeated-changes.ts';
import { shapeOf } from '../plan/shape.ts';
import { typesOf, type Types } from '../plan/types.ts';
import { withoutExcluded } from '../plan/without-excluded.ts';
import { withoutIntrospection } from '../plan/without-introspection.ts';
import { addIntrospectionFields } from './introspection-fields.ts';
import { withinTime } from './within-time.ts';

/**
 * A loaded supergraph. It never changes: an operation ends with the one that it began with, however often the gateway loads
 * another meanwhile.
 */
export interface Supergraph {
  /** The subgraphs, with their addresses in the supergraph. */
  subgraphs: readonly { name: string; url: string }[];
  /** The schema that clients see, and against which documents are validated. */
  publicSchema: GraphQLSchema;
  /** The public schema in the planner's representation. */
  apiSchema: Schema;
  /** The schema with what is hidden from clients; for Apollo's executor. */
  fullSchema(): GraphQLSchema;
  /** Includes types that are hidden from clients: plans need them for keys. */
  types: Types;
  /**
   * What is known of an operation without a plan, found out once per document.
   *
   * @throws {GraphQLError} when the document has no such operation
   */
  read(document: DocumentNode, operationName: string | undefined): ReadOperation;
  /**
   * The plan of an operation, made once per document.
   *
   * @throws {GraphQLError} when the document has no such operation, or it can't be planned
   */
  plan(document: DocumentNode, operationName: string | undefined): Planned;
  /**
   * The plan for one caller: without what they may not see, and by the labels of `@override` that apply to them.
   *
   * @param budget runs the planner, or throws
   */
  planFor(
    document: DocumentNode,
    operationName: string | undefined,
    scope: RequestScope,
    budget?: Budget,
  ): Promise<Planned>;
  /** Whether the operation has a plan already, the same for all callers. */
  isPlanned(document: DocumentNode, operationName: string | undefined): boolean;
}

/** An operation before it is planned. */
interface ReadOperation extends Pick<Variable, 'shape'> {
  operation: OperationDefinitionNode;
  rootType: string;
  /** The defaults of its variables. */
  defaults: Readonly<Record<string, unknown>>;
  cost: Cost;
}

/** Everything about an operation that does not depend on its variables. */
export interface Planned extends ReadOperation, Variable {
  /** Whether its plan has other names for some of the fields than the client. */
  renamed: boolean;
}

/** Runs the planner for a caller, or refuses to. */
export type Budget = <Result>(plan: () => Result) => Result;

const unlimited: Budget = (plan) => plan();

export interface SupergraphOptions extends VariantOptions {
  /** The most milliseconds that a plan may take; without it there is no limit. */
  planningMs?: number;
  /** The assumed length of a list without `@listSize`, for the cost of operations. */
  listSize?: number;
}

/**
 * The supergraph of a planner.
 *
 * @param publicSchema the schema that clients see
 */
export function supergraphOf(
  planner: QueryPlanner,
  publicSchema: GraphQLSchema,
  { listSize = 10, planningMs, ...options }: SupergraphOptions,
): Supergraph {
  const composed = planner.supergraph;
  const apiSchema = addIntrospectionFields(composed.apiSchema());
  const costOf = costsOf(composed.schema, listSize);
  const { inPlan, forPlan } = clientNames(composed.schema);
  const requestedIn = (document: DocumentNode, operationName: string | undefined): Operation =>
    operationFromDocument(apiSchema, document, operationName === undefined ? {} : { operationName });
  const planOf = (operation: Operation, overrideConditions?: Map<string, boolean>): QueryPlan => {
    const forPlanner = () => forPlan(withoutExcluded(withoutIntrospection(operation)));
    const queryPlan = withinTime(
      planningMs,
      () => planner.buildQueryPlan(forPlanner(), overrideConditions && { overrideConditions }),
      planningTimeout,
    );
    if (operation.rootKind === 'mutation') refuseRepeatedChanges(queryPlan);
    return queryPlan;
  };
  const variants = planVariants<Planned>({ ...options, composed: composed.schema, planOf, inPlan });
  const reads = perOperation((document, operationName): ReadOperation => {
    const operation = requireOperation(document, operationName);
    const requested = requestedIn(document, operationName);
    return { ...responseOf(requested), shape: shapeOf(requested, { inPlan }), operation, cost: costOf(requested) };
  });
  const plans = perOperation((document, operationName): Planned => {
    const read = reads.get(document, operationName);
    return traced('graphql.plan', {}, () => {
      const requested = requestedIn(document, operationName);
      return { ...read, queryPlan: planOf(requested), renamed: forPlan(requested) !== requested };
    });
  });
  let fullSchema: GraphQLSchema | undefined;

  return {
    subgraphs: [...composed.subgraphsMetadata()].map(({ name, url }) => ({ name, url })),
    publicSchema,
    apiSchema,
    fullSchema: () => (fullSchema ??= composed.schema.toGraphQLJSSchema()),
    types: typesOf(composed.schema),
    isPlanned: (document, operationName) => !variants && plans.known(document, operationName) !== undefined,
    read: reads.get,
    plan: plans.get,
    async planFor(document, operationName, scope, budget = unlimited) {
      const planned = plans.known(document, operationName) ?? budget(() => plans.get(document, operationName));
      if (!variants) return planned;
      return variants.forCaller(planned, () => requestedIn(firstOf(document), operationName), scope, budget);
    },
  };
}

type Operations<Made> = Record<'get', (document: DocumentNode, operationName: string | undefined) => Made> &
  Record<'known', (document: DocumentNode, operationName: string | undefined) => Made | undefined>;

/** Makes something of each operation once. It lives as long as the document does, and documents live in bounded caches. */
function perOperation<Made>(make: Operations<Made>['get']): Operations<Made> {
  const made = new WeakMap<DocumentNode, Map<string | undefined, Made>>();
  const known: Operations<Made>['known'] = (document, operationName) => made.get(firstOf(document))?.get(operationName);
  return {
    known,
    get(given, operationName) {
      const before = known(given, operationName);
      if (before) return before;
      const document = firstOf(given);
      const one = make(document, operationName);
      made.set(document, (made.get(document) ?? new Map<string | undefined, Made>()).set(operationName, one));
      return one;
    },
  };
}

const planningTimeout = () =>
  new Refusal('BAD_USER_INPUT', 'PLANNING_TIMEOUT', 'To plan this operation takes too long: send it in parts.');

const responseOf = (requested: Operation) => ({
  rootType: requested.schema().schemaDefinition.rootType(requested.rootKind)?.name ?? '',
  defaults: requested.collectDefaultedVariableValues(),
});

/**
 * Finds the operation that a request asks for.
 *
 * @throws {GraphQLError} `OPERATION_RESOLUTION_FAILURE`
 */
export function requireOperation(document: DocumentNode, operationName: string | undefined): OperationDefinitionNode {
  const operations = document.definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION);
  const [found, another] =
    operationName === undefined ? operations : operations.filter(({ name }) => name?.value === operationName);
  if (found && !another) return found;
  const message =
    operationName === undefined
      ? 'The document must have one operation, or the request an operation name.'
      : `The document has no operation named "${operationName}".`;
  throw new GraphQLError(message, { extensions: { code: 'OPERATION_RESOLUTION_FAILURE' } });
}
