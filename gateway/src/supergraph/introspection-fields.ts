import {
  FieldDefinition,
  isObjectType,
  ListType,
  NonNullType,
  type InputType,
  type NullableType,
  type ObjectType,
  type OutputType,
  type Schema,
  type Type,
} from '@apollo/federation-internals';
import {
  introspectionTypes,
  isListType,
  isNonNullType,
  isObjectType as isGraphQLObjectType,
  type GraphQLField,
  type GraphQLType,
} from 'graphql';

/**
 * Adds the introspection fields and arguments of graphql-js that the planner's schema lacks: it has its own list, which is
 * older, and throws on the others, such as `isOneOf`, though graphql-js validates and answers them.
 */
export function addIntrospectionFields(schema: Schema): Schema {
  // The same private method by which the library adds its own list.
  schema['runWithBuiltInModificationAllowed'](() => {
    for (const known of introspectionTypes) {
      const type = schema.type(known.name);
      if (!isGraphQLObjectType(known) || !type || !isObjectType(type)) continue;
      for (const field of Object.values(known.getFields())) addField(schema, type, field);
    }
  });
  return schema;
}

function addField(schema: Schema, type: ObjectType, known: GraphQLField<unknown, unknown>): void {
  const field =
    type.field(known.name) ?? type.addField(new FieldDefinition(known.name), typeIn(schema, known.type) as OutputType);
  for (const { name, type: argument, defaultValue } of known.args) {
    if (!field.argument(name)) field.addArgument(name, typeIn(schema, argument) as InputType, defaultValue);
  }
}

/** A type of graphql-js in the planner's schema; the fields and arguments of introspection have no others. */
function typeIn(schema: Schema, type: GraphQLType): Type {
  if (isNonNullType(type)) return new NonNullType(typeIn(schema, type.ofType) as NullableType);
  if (isListType(type)) return new ListType(typeIn(schema, type.ofType));
  const named = schema.type(type.name);
  if (!named) throw new Error(`the planner's schema has no ${type.name}`);
  return named;
}
