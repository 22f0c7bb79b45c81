import {
  operationFromDocument,
  Supergraph as ComposedSupergraph,
  type Operation,
  type Schema,
} from '@apollo/federation-internals';
import { QueryPlanner, type QueryPlan } from '@apollo/query-planner';
import { traced } from '@foyer/shared/telemetry/tracing';
import { GraphQLError, Kind, type DocumentNode, type GraphQLSchema, type OperationDefinitionNode } from 'graphql';

import { costsOf, type Cost } from '../cost/cost.ts';
import { shapeOf, type Selected } from '../plan/shape.ts';
import { typesOf, type Types } from '../plan/types.ts';
import { withoutIntrospection } from '../plan/without-introspection.ts';

/**
 * A loaded supergraph. It never changes: an operation ends with the one that it began with, however often the gateway loads
 * another meanwhile.
 */
export interface Supergraph {
  sdl: string;
  /** The subgraphs, with their addresses in the supergraph. */
  subgraphs: readonly { name: string; url: string }[];
  /** The schema that clients see, and against which documents are validated. */
  publicSchema: GraphQLSchema;
  /** The public schema in the planner's representation. */
  apiSchema: Schema;
  /** Includes types that are hidden from clients: plans need them for keys. */
  types: Types;
  /**
   * The plan of an operation, made once per document.
   *
   * @throws {GraphQLError} when the document has no such operation, or it can't be planned
   */
  plan(document: DocumentNode, operationName: string | undefined): Planned;
}

/** Everything about an operation that does not depend on its variables. */
export interface Planned {
  queryPlan: QueryPlan;
  operation: OperationDefinitionNode;
  /** The shape of its response. */
  shape: readonly Selected[];
  rootType: string;
  /** The defaults of its variables. */
  defaults: Readonly<Record<string, unknown>>;
  cost: Cost;
}

export interface LoadOptions {
  /** The assumed length of a list without `@listSize`, for the cost of operations. */
  listSize?: number;
  /** False for a supergraph that was validated when it was composed: validation takes a fifth of a second. */
  validate?: boolean;
}

/** @throws when the SDL is not a valid supergraph */
export function loadSupergraph(sdl: string, { listSize = 10, validate = true }: LoadOptions = {}): Supergraph {
  const composed = ComposedSupergraph.build(sdl, { validateSupergraph: validate });
  const apiSchema = composed.apiSchema();
  const publicSchema = apiSchema.toGraphQLJSSchema();
  const planner = new QueryPlanner(composed);
  const costOf = costsOf(composed.schema, listSize);
  // A plan lives as long as its document does, and documents live in bounded caches.
  const plans = new WeakMap<DocumentNode, Map<string | undefined, Planned>>();

  return {
    sdl,
    subgraphs: [...composed.subgraphsMetadata()].map(({ name, url }) => ({ name, url })),
    publicSchema,
    apiSchema,
    types: typesOf(composed.schema),
    plan(document, operationName) {
      const ofDocument = plans.get(document) ?? new Map<string | undefined, Planned>();
      const known = ofDocument.get(operationName);
      if (known) return known;
      const operation = requireOperation(document, operationName);
      const planned = traced('graphql.plan', {}, () => {
        const requested = operationFromDocument(
          apiSchema,
          document,
          operationName === undefined ? {} : { operationName },
        );
        const queryPlan = planner.buildQueryPlan(withoutIntrospection(requested));
        return { ...shapeOfResponse(requested), operation, cost: costOf(requested), queryPlan };
      });
      plans.set(document, ofDocument.set(operationName, planned));
      return planned;
    },
  };
}

const shapeOfResponse = (requested: Operation) => ({
  shape: shapeOf(requested),
  rootType: requested.schema().schemaDefinition.rootType(requested.rootKind)?.name ?? '',
  defaults: requested.collectDefaultedVariableValues(),
});

function requireOperation(document: DocumentNode, operationName: string | undefined): OperationDefinitionNode {
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
