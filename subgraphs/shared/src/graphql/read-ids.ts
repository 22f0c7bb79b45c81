import {
  defaultFieldResolver,
  GraphQLID,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
} from 'graphql';

import { readId } from '../ids.ts';

/** Reads the ids in a value; changes nothing in place. */
type Read = (value: unknown, path: string) => unknown;

type AnyField = GraphQLField<unknown, unknown>;

/**
 * Reads the ids in every argument of every field, also inside input objects and lists, and in the keys of the entities
 * that the gateway requests, so that use cases see one spelling of an id.
 */
export function readIds(schema: GraphQLSchema): GraphQLSchema {
  const readerOf = readers();
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) readArguments(field, readerOf);
  }
  const entities = schema.getQueryType()?.getFields()['_entities'];
  if (entities)
    before(entities, ({ representations, ...rest }) => ({
      ...rest,
      representations: (representations as Representation[]).map((each) => readKeys(schema, each)),
    }));
  return schema;
}

function readArguments(field: AnyField, readerOf: (type: GraphQLInputType) => Read | null): void {
  const reads = field.args.flatMap(({ name, type }: GraphQLArgument) => {
    const read = readerOf(type);
    return read ? [[name, read] as const] : [];
  });
  if (reads.length === 0) return;
  before(field, (args) => ({
    ...args,
    ...Object.fromEntries(
      reads.flatMap(([name, read]) => (name in args ? [[name, read(args[name], name === 'input' ? '' : name)]] : [])),
    ),
  }));
}

/** Makes a field change its arguments before it uses them. */
function before(field: AnyField, change: (args: Record<string, unknown>) => Record<string, unknown>): void {
  const { resolve, subscribe } = field;
  if (subscribe) field.subscribe = (source, args, ...rest) => subscribe(source, change(args), ...rest);
  // An event of a subscription may be resolved from the subscription's arguments, too.
  if (!subscribe || resolve)
    field.resolve = (source, args, ...rest) => (resolve ?? defaultFieldResolver)(source, change(args), ...rest);
}

/** Returns the function that reads the ids in a value of a type; null for a type without ids. Input objects may be recursive. */
function readers(): (type: GraphQLInputType) => Read | null {
  const known = new Map<GraphQLInputObjectType, Read>();
  const holdsIds = (type: GraphQLInputType, seen = new Set<GraphQLInputType>()): boolean => {
    if (isNonNullType(type) || isListType(type)) return holdsIds(type.ofType, seen);
    if (!isInputObjectType(type) || seen.has(type)) return type === GraphQLID;
    seen.add(type);
    return Object.values(type.getFields()).some((field) => holdsIds(field.type, seen));
  };
  const ofObject = (type: GraphQLInputObjectType): Read => {
    const fields = Object.values(type.getFields()).filter((field) => holdsIds(field.type));
    const read: Read = (value, path) => {
      const given = value as Record<string, unknown>;
      const changed = fields.filter(({ name }) => name in given);
      return {
        ...given,
        ...Object.fromEntries(
          changed.map(({ name, type: of }) => [name, readerOf(of)?.(given[name], within(path, name))]),
        ),
      };
    };
    known.set(type, read);
    return read;
  };
  const readerOf = (type: GraphQLInputType): Read | null => {
    if (!holdsIds(type)) return null;
    if (isNonNullType(type)) return readerOf(type.ofType);
    const read = isListType(type)
      ? ofList(readerOf(type.ofType))
      : isInputObjectType(type)
        ? (known.get(type) ?? ofObject(type))
        : (value: unknown, path: string) => readId(String(value), path);
    return (value, path) => (value === null || value === undefined ? value : read(value, path));
  };
  return readerOf;
}

/** Names a field of `input` as the refusals of use cases do, without `input.`. */
const within = (path: string, name: string | number) => (path === '' ? String(name) : `${path}.${name}`);

const ofList =
  (read: Read | null): Read =>
  (value, path) =>
    (value as unknown[]).map((each, index) => read?.(each, within(path, index)));

type Representation = Record<string, unknown> & { __typename: string };

/** The key fields of an entity that are ids. */
function readKeys(schema: GraphQLSchema, representation: Representation): Representation {
  const type = schema.getType(representation.__typename);
  if (!isObjectType(type)) return representation;
  const ids = Object.entries(representation).filter(([name, value]) => {
    const of = type.getFields()[name]?.type;
    return typeof value === 'string' && (isNonNullType(of) ? of.ofType : of) === GraphQLID;
  });
  return { ...representation, ...Object.fromEntries(ids.map(([name, value]) => [name, readId(String(value), name)])) };
}
