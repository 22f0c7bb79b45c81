import { operationFromDocument, Supergraph as ComposedSupergraph, type Schema } from '@apollo/federation-internals';
import { buildOperationContext } from '@apollo/gateway';
import { QueryPlanner, type QueryPlan } from '@apollo/query-planner';
import { GraphQLError, Kind, type DocumentNode, type GraphQLSchema } from 'graphql';

/**
 * A loaded supergraph. It never changes: an operation that began with one ends with it, however
 * often the gateway loads another meanwhile.
 */
export interface Supergraph {
  sdl: string;
  subgraphs: readonly string[];
  /** What clients see: documents are validated against it. */
  publicSchema: GraphQLSchema;
  /** The same, as the planner knows it. */
  apiSchema: Schema;
  /** With what is hidden from clients too: plans need it for keys. */
  fullSchema: GraphQLSchema;
  /**
   * The plan of an operation, made once per document.
   *
   * @throws {GraphQLError} when the document has no such operation, or it can't be planned
   */
  plan(document: DocumentNode, operationName: string | undefined): Planned;
}

export interface Planned {
  queryPlan: QueryPlan;
  operation: ReturnType<typeof buildOperationContext>;
}

/** @throws when the SDL is not a valid supergraph */
export function loadSupergraph(sdl: string): Supergraph {
  const composed = ComposedSupergraph.build(sdl);
  const apiSchema = composed.apiSchema();
  const publicSchema = apiSchema.toGraphQLJSSchema();
  const planner = new QueryPlanner(composed);
  // A plan lives as long as its document does, and documents live in bounded caches.
  const plans = new WeakMap<DocumentNode, Map<string | undefined, Planned>>();

  function makePlan(document: DocumentNode, operationName: string | undefined): Planned {
    const name = operationName === undefined ? {} : { operationName };
    const operation = buildOperationContext({ schema: publicSchema, operationDocument: document, ...name });
    return { operation, queryPlan: planner.buildQueryPlan(operationFromDocument(apiSchema, document, name)) };
  }

  return {
    sdl,
    subgraphs: [...composed.subgraphsMetadata()].map(({ name }) => name),
    publicSchema,
    apiSchema,
    fullSchema: composed.schema.toGraphQLJSSchema(),
    plan(document, operationName) {
      const ofDocument = plans.get(document) ?? new Map<string | undefined, Planned>();
      const known = ofDocument.get(operationName);
      if (known) return known;
      requireOperation(document, operationName);
      const planned = makePlan(document, operationName);
      plans.set(document, ofDocument.set(operationName, planned));
      return planned;
    },
  };
}

function requireOperation(document: DocumentNode, operationName: string | undefined): void {
  const names = document.definitions.flatMap((node) =>
    node.kind === Kind.OPERATION_DEFINITION ? [node.name?.value] : [],
  );
  if (operationName === undefined ? names.length === 1 : names.includes(operationName)) return;
  const message =
    operationName === undefined
      ? 'The document must have one operation, or the request an operation name.'
      : `The document has no operation named "${operationName}".`;
  throw new GraphQLError(message, { extensions: { code: 'OPERATION_RESOLUTION_FAILURE' } });
}
