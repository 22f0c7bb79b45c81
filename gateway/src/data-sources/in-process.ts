import { badInput } from '@foyer/shared/errors';
import type { Log } from '@foyer/shared/telemetry/log';
import type { RequestScope } from '@foyer/shared/http/request';
import { traced } from '@foyer/shared/telemetry/tracing';
import {
  createSourceEventStream,
  execute,
  getNamedType,
  getOperationAST,
  GraphQLError,
  isInputObjectType,
  isNonNullType,
  OperationTypeNode,
  parse,
  specifiedRules,
  typeFromAST,
  validate,
  ValuesOfCorrectTypeRule,
  type DocumentNode,
  type ExecutionArgs,
  type GraphQLInputType,
  type GraphQLSchema,
  type NamedTypeNode,
} from 'graphql';
import { compileQuery, isCompiledQuery, type CompiledQuery } from 'graphql-jit';
import { LRUCache } from 'lru-cache';

import { maskedAtSource } from '@foyer/shared/graphql/error-masking';
import { timeFetch } from '@foyer/shared/graphql/metrics';
import { wrongVariable } from '@foyer/shared/graphql/variable-errors';
import type { OperationContext } from '@foyer/shared/graphql/operation-context';
import type { Answer, DataSource, Fetch, StreamEvent } from '@foyer/shared/graphql/data-source';

/** A subgraph that lives in this process. */
export interface LocalSubgraph {
  schema: GraphQLSchema;
  contextFor(scope: RequestScope): object;
}

/** Documents that plans send are few and come again and again; this is how many are kept ready. */
const DOCUMENTS = 2_000;
/** What they may take: literals of clients stand in them, as long as a request may be. */
const MOST_BYTES = 64_000_000;
const BYTES_PER_CHARACTER = 50;

const rulesButLiterals = specifiedRules.filter((rule) => rule !== ValuesOfCorrectTypeRule);

/**
 * Calls a subgraph in this process: each document is parsed and validated once, then only executed.
 */
export function inProcess(
  name: string,
  { schema, contextFor }: LocalSubgraph,
  log: Log,
  { compiled = false } = {},
): DataSource {
  const read = documentsFor(name, schema);
  const run = compiled ? compiledExecution() : execute;

  function contextOf({ scope, ofSubgraphs }: OperationContext): object {
    const known = ofSubgraphs.get(name);
    if (known) return known;
    const context = contextFor(scope);
    ofSubgraphs.set(name, context);
    return context;
  }
  const argsOf = ({ query, operationName, variables }: Fetch, context: OperationContext): ExecutionArgs => ({
    schema,
    document: read(query),
    operationName,
    variableValues: variables,
    contextValue: contextOf(context),
  });
  const mask = (errors: readonly GraphQLError[], { scope }: OperationContext) =>
    errors.map((error) => maskedAtSource(error, { requestId: scope.requestId, log, subgraph: name }));

  const answer = (fetch: Fetch, context: OperationContext, event?: unknown) =>
    traced(`execute ${name}`, { attributes: attributesOf(fetch) }, () => execution(fetch, context, event));

  async function execution(fetch: Fetch, context: OperationContext, event: unknown): Promise<Answer> {
    const done = timeFetch(name);
    try {
      const { data, errors } = await run({ ...argsOf(fetch, context), rootValue: event });
      done(errors !== undefined);
      return { ...(data !== undefined && { data }), ...(errors && { errors: mask(explained(errors), context) }) };
    } catch (error) {
      done(true);
      return { data: null, errors: mask([asGraphQLError(error)], context) };
    }
  }

  return {
    fetch: (fetch, context) => answer(fetch, context),
    async subscribe(fetch, context) {
      try {
        const source = await createSourceEventStream(argsOf(fetch, context));
        if (!(Symbol.asyncIterator in source)) return { errors: mask(explained(source.errors ?? []), context) };
        const resolvable =
          (event: unknown): StreamEvent =>
          (ofEvent) =>
            answer(fetch, ofEvent, event);
        return { events: mapEvents(source, resolvable) };
      } catch (error) {
        return { errors: mask([asGraphQLError(error)], context) };
      }
    },
  };
}

const attributesOf = ({ operationName }: Fetch) => (operationName ? { 'graphql.operation.name': operationName } : {});

/** How often a document is interpreted before it is compiled: what is asked once is not worth it. */
const WARM_UP = 2;

/** Executes documents that come again by code that graphql-jit makes of each; what it can't compile is interpreted. */
function compiledExecution(): typeof execute {
  const uses = new WeakMap<DocumentNode, number>();
  const queries = new WeakMap<DocumentNode, CompiledQuery['query'] | 'interpreted'>();

  function queryOf({ schema, document, operationName }: ExecutionArgs): CompiledQuery['query'] | 'interpreted' {
    const ready = queries.get(document);
    if (ready) return ready;
    const used = uses.get(document) ?? 0;
    uses.set(document, used + 1);
    if (used < WARM_UP) return 'interpreted';
    const made = mayCompile(schema, document) && compileQuery(schema, document, operationName ?? undefined);
    const query = made && isCompiledQuery(made) ? made.query : 'interpreted';
    queries.set(document, query);
    return query;
  }
  return async (args) => {
    const query = queryOf(args);
    if (query === 'interpreted') return execute(args);
    const { data, errors } = await query(args.rootValue, args.contextValue, args.variableValues);
    return { ...(data !== undefined && { data }), ...(errors && { errors: errors.map(asItsOwn) }) };
  };
}

/** Only what reads: a change is never so frequent that it had to be quick, and must be read by the book. */
const mayCompile = (schema: GraphQLSchema, document: DocumentNode) =>
  getOperationAST(document)?.operation === OperationTypeNode.QUERY && !takesUnfit(schema, document);

/**
 * Inputs that graphql-jit 0.8 can't read: one with a required field that has a default, which compiled code asks
 * for all the same, and one that holds itself, which it compiles without end.
 */
function takesUnfit(schema: GraphQLSchema, document: DocumentNode): boolean {
  const fit = new Set<GraphQLInputType>();
  const around = new Set<GraphQLInputType>();
  const isUnfit = (type: GraphQLInputType | undefined): boolean => {
    const named = type && getNamedType(type);
    if (!isInputObjectType(named) || fit.has(named)) return false;
    if (around.has(named)) return true;
    around.add(named);
    const unfit = Object.values(named.getFields()).some(
      (field) => (isNonNullType(field.type) && field.defaultValue !== undefined) || isUnfit(field.type),
    );
    around.delete(named);
    if (!unfit) fit.add(named);
    return unfit;
  };
  return document.definitions
    .flatMap((definition) => ('variableDefinitions' in definition ? (definition.variableDefinitions ?? []) : []))
    .some(({ type }) => isUnfit(typeFromAST(schema, type as NamedTypeNode) as GraphQLInputType | undefined));
}

/** The errors of graphql-jit only look like those of graphql-js. */
const asItsOwn = ({ message, path, originalError, extensions }: GraphQLError) =>
  new GraphQLError(message, {
    path: path ?? null,
    originalError: originalError ?? null,
    extensions: extensions ?? null,
  });

/** Parses and validates what plans send, once. */
function documentsFor(name: string, schema: GraphQLSchema) {
  const documents = new LRUCache<string, DocumentNode>({
    max: DOCUMENTS,
    maxSize: MOST_BYTES,
    sizeCalculation: (_document, query) => BYTES_PER_CHARACTER * query.length,
  });

  return (query: string): DocumentNode => {
    const known = documents.get(query);
    if (known) return known;
    const document = parse(query, { noLocation: true });
    const [misplanned] = validate(schema, document, rulesButLiterals);
    if (misplanned) throw new Error(`the plan does not fit subgraph ${name}: ${misplanned.message}`);
    const [badLiteral] = validate(schema, document, [ValuesOfCorrectTypeRule]);
    if (badLiteral) throw badValue(badLiteral);
    documents.set(query, document);
    return document;
  };
}

/** Errors without a path come before the first field: the variables did not fit. */
const explained = (errors: readonly GraphQLError[]) => errors.map((error) => (error.path ? error : badValue(error)));

/** The client's value, in a variable or written out, is not one that the subgraph's scalar takes. */
const badValue = (error: GraphQLError) => badInput([wrongVariable(error)]);

const asGraphQLError = (thrown: unknown): GraphQLError =>
  thrown instanceof GraphQLError
    ? thrown
    : new GraphQLError('failed', { originalError: thrown instanceof Error ? thrown : new Error(String(thrown)) });

/** By hand, because an async generator would hold `return()` back until the next event comes. */
function mapEvents<From, To>(source: AsyncIterable<From>, map: (event: From) => To): AsyncIterator<To> {
  const iterator = source[Symbol.asyncIterator]();
  return {
    async next() {
      const result = await iterator.next();
      return result.done ? { done: true, value: undefined } : { done: false, value: map(result.value) };
    },
    async return() {
      await iterator.return?.();
      return { done: true, value: undefined };
    },
  };
}
