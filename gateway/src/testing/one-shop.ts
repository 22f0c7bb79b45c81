import {
  execute,
  isObjectType,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLFieldResolver,
  type GraphQLSchema,
} from 'graphql';

import { shops } from './shops.ts';

type Parent = Record<string, unknown>;

/** Whether an answer needed a product that its owner does not know: it has no type then. */
interface Context {
  unknown: boolean;
}

/**
 * The answer of the shops if they were one schema: what federation must not change.
 *
 * @param schema the public schema of their supergraph
 * @returns undefined when the answer depends on how federation treats an entity that its owner does not know
 */
export async function answerOfOneShop(
  schema: GraphQLSchema,
  document: DocumentNode,
  variableValues: Record<string, unknown>,
): Promise<ExecutionResult | undefined> {
  const contextValue: Context = { unknown: false };
  const answer = await execute({ schema, document, variableValues, contextValue, fieldResolver });
  return contextValue.unknown ? undefined : (JSON.parse(JSON.stringify(answer)) as ExecutionResult);
}

const fieldResolver: GraphQLFieldResolver<Parent, Context> = async (parent, args, context, info) => {
  const { parentType, fieldName } = info;
  // An interface object adds its fields to every type of the interface.
  const owners = [parentType.name, ...parentType.getInterfaces().map(({ name }) => name)];
  const fields = Object.values(shops.schemas).flatMap((schema) =>
    owners
      .map((name) => schema.getType(name))
      .filter(isObjectType)
      .flatMap((type) => type.getFields()[fieldName] ?? []),
  );
  const resolve = fields.find((field) => field.resolve)?.resolve;
  if (parentType.name === 'User' && fieldName === 'greeting') {
    return resolve?.({ name: parent['id'] === '1' ? 'Aminah' : 'Bala' }, args, context, info);
  }
  const value: unknown = resolve ? await resolve(parent, args, context, info) : parent[fieldName];
  if (parentType.name !== 'Review' || fieldName !== 'product') return value;
  const product = await productOf(value as Parent, context, info);
  context.unknown ||= !product;
  return product;
};

/** A review has the key of its product only. */
const productOf = ({ upc }: Parent, ...[context, info]: [Context, Parameters<typeof fieldResolver>[3]]) =>
  shops.schemas['products']?.getQueryType()?.getFields()['product']?.resolve?.({}, { upc }, context, info);
