import {
  BREAK,
  execute,
  getNamedType,
  getOperationAST,
  GraphQLError,
  isInputObjectType,
  isNonNullType,
  Kind,
  OperationTypeNode,
  typeFromAST,
  visit,
  type DocumentNode,
  type ExecutionArgs,
  type GraphQLInputType,
  type GraphQLSchema,
  type NamedTypeNode,
} from 'graphql';
import { compileQuery, isCompiledQuery, type CompiledQuery } from 'graphql-jit';

/** How often a document is interpreted before it is compiled: compiling one that comes once is not worth it. */
const WARM_UP = 2;

/**
 * An `execute` that compiles documents that come again (graphql-jit), and interprets what can't be compiled.
 * It keeps the compiled code as long as the document lives.
 */
export function compiledExecution(): typeof execute {
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
    return { ...(data !== undefined && { data }), ...(errors && { errors: errors.map(asGraphQLJSError) }) };
  };
}

/** Queries only: mutations are too rare to be worth it, and are executed by graphql-js itself. */
const mayCompile = (schema: GraphQLSchema, document: DocumentNode) =>
  getOperationAST(document)?.operation === OperationTypeNode.QUERY &&
  !hasUnfitPart(document) &&
  !hasUnfitInput(schema, document);

/**
 * Whether a document has a part that graphql-jit 0.8 gets wrong: a variable that must not be null and has a default, which it
 * requires all the same; a variable within an input object, which is null there when it was left out; and conditions, by which it
 * leaves out what another selection wants, too.
 */
function hasUnfitPart(document: DocumentNode): boolean {
  let unfit = false;
  let objects = 0;
  const note = (isUnfit: boolean) => {
    unfit ||= isUnfit;
    return unfit ? BREAK : undefined;
  };
  visit(document, {
    VariableDefinition: ({ type, defaultValue }) =>
      note(type.kind === Kind.NON_NULL_TYPE && defaultValue !== undefined),
    ObjectValue: { enter: () => void (objects += 1), leave: () => void (objects -= 1) },
    Variable: () => note(objects > 0),
    Directive: () => note(true),
  });
  return unfit;
}

/**
 * Whether a document has inputs that graphql-jit 0.8 can't read: an input with a required field that has a default, which
 * compiled code requires all the same, or a recursive input, which it compiles without end.
 */
function hasUnfitInput(schema: GraphQLSchema, document: DocumentNode): boolean {
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
const asGraphQLJSError = ({ message, path, originalError, extensions }: GraphQLError) =>
  new GraphQLError(message, {
    path: path ?? null,
    originalError: originalError ?? null,
    extensions: extensions ?? null,
  });
