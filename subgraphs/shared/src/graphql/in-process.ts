import { badInput } from '../errors.ts';
import type { Log } from '../telemetry/log.ts';
import type { RequestScope } from '../http/request.ts';
import { traced } from '../telemetry/tracing.ts';
import {
  createSourceEventStream,
  execute as interpret,
  GraphQLError,
  parse,
  specifiedRules,
  validate,
  ValuesOfCorrectTypeRule,
  type DocumentNode,
  type ExecutionArgs,
  type GraphQLSchema,
} from 'graphql';
import { LRUCache } from 'lru-cache';

import { afterChange, maskedAtSource } from './error-masking.ts';
import { timeFetch } from './metrics.ts';
import { wrongVariable } from './variable-errors.ts';
import type { OperationContext } from './operation-context.ts';
import type { Answer, DataSource, Fetch, StreamEvent } from './data-source.ts';

/** A subgraph in this process. */
export interface LocalSubgraph {
  schema: GraphQLSchema;
  contextFor(scope: RequestScope): object;
}

/** How many documents are kept: plans send few different ones, again and again. */
const DOCUMENTS = 2_000;
/** The memory that they may take: they hold clients' literals, which may be as long as a request. */
const MOST_BYTES = 64_000_000;
const BYTES_PER_CHARACTER = 50;

const rulesButLiterals = specifiedRules.filter((rule) => rule !== ValuesOfCorrectTypeRule);

/**
 * A data source that calls a subgraph in this process. Each document is parsed and validated once, then only executed.
 *
 * @param options.execute another implementation of graphql-js's `execute`
 */
export function inProcess(
  name: string,
  { schema, contextFor }: LocalSubgraph,
  log: Log,
  { execute = interpret } = {},
): DataSource {
  const read = documentsFor(name, schema);

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
  const maskResult = (errors: readonly GraphQLError[], { kind }: Fetch, context: OperationContext) => {
    const masked = mask(explained(errors), context);
    return kind === 'mutation' ? masked.map((error) => (isBelowRoot(error) ? afterChange(error) : error)) : masked;
  };

  const answer = (fetch: Fetch, context: OperationContext, event?: unknown) =>
    traced(`execute ${name}`, { attributes: attributesOf(fetch) }, () => execution(fetch, context, event));

  async function execution(fetch: Fetch, context: OperationContext, event: unknown): Promise<Answer> {
    const done = timeFetch(name);
    try {
      const { data, errors } = await execute({ ...argsOf(fetch, context), rootValue: event });
      done(errors !== undefined);
      return { ...(data !== undefined && { data }), ...(errors && { errors: maskResult(errors, fetch, context) }) };
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

/** Parses and validates each document of a plan once. */
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

/** Whether the root field itself succeeded: in our subgraphs that one makes the change. */
const isBelowRoot = ({ path }: GraphQLError) => path !== undefined && path.length > 1;

/** Errors without a path arise before the first field: the variables did not fit. */
const explained = (errors: readonly GraphQLError[]) => errors.map((error) => (error.path ? error : badValue(error)));

/** The refusal of a client's value, in a variable or written out, that the subgraph's scalar does not take. */
const badValue = (error: GraphQLError) => badInput([wrongVariable(error)]);

const asGraphQLError = (thrown: unknown): GraphQLError =>
  thrown instanceof GraphQLError
    ? thrown
    : new GraphQLError('failed', { originalError: thrown instanceof Error ? thrown : new Error(String(thrown)) });

/** Not an async generator, which would hold `return()` back until the next event. */
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
