import { defaultFieldResolver, isObjectType, type GraphQLSchema } from 'graphql';

/**
 * Lets a list be counted only for clients that select its `totalCount`: where the property is a function, it is called.
 * graphql-js would do that by itself, compiled queries would not.
 */
export function countOnDemand(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    const field = isObjectType(type) ? type.getFields()['totalCount'] : undefined;
    if (field) field.resolve ??= defaultFieldResolver;
  }
  return schema;
}
