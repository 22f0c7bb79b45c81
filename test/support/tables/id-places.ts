import {
  buildSchema,
  getNamedType,
  GraphQLID,
  isInputObjectType,
  isObjectType,
  type GraphQLField,
  type GraphQLInputType,
} from 'graphql';

import { publicSdl, type RootField } from './access-rules.ts';

/** An argument of a root field, or a field of an input in it, that takes an id. */
export interface IdPlace extends Pick<RootField, 'type' | 'name'> {
  /** `input`, `origins`, `streamerId`: as the variables nest; lists have no step of their own. */
  path: readonly string[];
}

const schema = buildSchema(publicSdl());
const roots: readonly string[] = ['Query', 'Mutation', 'Subscription'] satisfies RootField['type'][];

function within(type: GraphQLInputType, path: readonly string[]): (readonly string[])[] {
  const named = getNamedType(type);
  if (named === GraphQLID) return [path];
  if (!isInputObjectType(named)) return [];
  if (path.length > 8) throw new Error(`an input within itself: ${path.join('.')}`);
  return Object.values(named.getFields()).flatMap((field) => within(field.type, [...path, field.name]));
}

const pathsOf = ({ args }: GraphQLField<unknown, unknown>) => args.flatMap(({ name, type }) => within(type, [name]));

const all = Object.values(schema.getTypeMap())
  .filter(isObjectType)
  .flatMap((type) =>
    Object.values(type.getFields()).map((field) => ({ type: type.name, field, paths: pathsOf(field) })),
  );

/** Every place of the public schema that takes an id. */
export const idPlaces: readonly IdPlace[] = all
  .filter(({ type }) => roots.includes(type))
  .flatMap(({ type, field, paths }) =>
    paths.map((path) => ({ type: type as RootField['type'], name: field.name, path })),
  );

/** Fields below the root fields that take an id. */
export const idFieldsBelow: readonly string[] = all
  .filter(({ type, paths }) => !roots.includes(type) && paths.length > 0)
  .map(({ type, field }) => `${type}.${field.name}`);
