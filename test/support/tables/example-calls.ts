import { randomUUID } from 'node:crypto';

import {
  buildSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInputType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  print,
  typeFromAST,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLOutputType,
  type OperationDefinitionNode,
  type TypeNode,
} from 'graphql';

import { publicSdl, type RootField } from './access-rules.ts';

const schema = buildSchema(publicSdl());
const roots = {
  Query: schema.getQueryType(),
  Mutation: schema.getMutationType(),
  Subscription: schema.getSubscriptionType(),
};

/** The keys of arguments: `teamId`, or for one field only `deleteChannel.id`. */
export type Known = Readonly<Record<string, unknown>>;

/** A root field of the public schema, with its arguments. */
export function publicField({ type, name }: Pick<RootField, 'type' | 'name'>) {
  const field = roots[type]?.getFields()[name];
  if (!field) throw new Error(`the public schema has no ${name}`);
  return field;
}

/**
 * A call of a root field with well-formed arguments: the known ones, and made-up ones where the
 * schema requires more.
 */
export function exampleCall({ type, name }: Pick<RootField, 'type' | 'name'>, known: Known) {
  const field = publicField({ type, name });
  const variables = valuesFor(field.args, { ...known, ...knownOf(name, known) });
  return { query: documentFor({ type, name }, Object.keys(variables)), variables };
}

/** Well-formed, made-up values for the required variables of an operation. */
export const exampleVariables = ({ variableDefinitions = [] }: OperationDefinitionNode): Record<string, unknown> =>
  Object.fromEntries(
    variableDefinitions
      .filter(({ type, defaultValue }) => type.kind === Kind.NON_NULL_TYPE && defaultValue === undefined)
      .map(({ variable, type }) => [variable.name.value, valueFor(inputType(type), {})]),
  );

function inputType(node: TypeNode): GraphQLInputType {
  const type = typeFromAST(schema, node);
  if (!isInputType(type)) throw new Error(`the public schema has no input ${print(node)}`);
  return type;
}

/** A document that calls a root field with these of its arguments, each from a variable of its name. */
export function documentFor({ type, name }: Pick<RootField, 'type' | 'name'>, given: readonly string[]): string {
  const field = publicField({ type, name });
  const types = field.args.filter((arg) => given.includes(arg.name)).map((arg) => `$${arg.name}: ${String(arg.type)}`);
  const passed = given.map((arg) => `${arg}: $${arg}`).join(', ');
  const selection = isLeafType(getNamedType(field.type)) ? '' : `{ __typename ${refusalIn(field.type)} }`;
  const signature = types.length > 0 ? `(${types.join(', ')})` : '';
  return `${type.toLowerCase()} ${signature} { ${name}${passed && `(${passed})`} ${selection} }`;
}

/** Of a field that does the same to many items, what selects the refusal of each. */
const refusalIn = (type: GraphQLOutputType): string => {
  const named = getNamedType(type);
  return isObjectType(named) && 'refusal' in named.getFields() ? 'refusal { code reason message }' : '';
};

interface ErrorOfCall {
  message: string;
  extensions: { code: string; reason?: string };
}

/** The errors of a call, or of the items in its answer that were refused. */
export function errorsOf({ data, errors }: { data?: unknown; errors?: unknown }): ErrorOfCall[] {
  if (Array.isArray(errors)) return errors as ErrorOfCall[];
  const items = Object.values((data ?? {}) as Record<string, unknown>).flat();
  return items.flatMap((item) => {
    const { refusal } = (item ?? {}) as { refusal?: { code: string; reason: string; message: string } | null };
    return refusal ? [{ message: refusal.message, extensions: { code: refusal.code, reason: refusal.reason } }] : [];
  });
}

const knownOf = (field: string, known: Known): Known =>
  Object.fromEntries(
    Object.entries(known)
      .filter(([key]) => key.startsWith(`${field}.`))
      .map(([key, value]) => [key.slice(field.length + 1), value]),
  );

type FurnishedOrganization = GraphQLArgument | GraphQLInputField;

const valuesFor = (places: readonly FurnishedOrganization[], known: Known): Record<string, unknown> =>
  Object.fromEntries(
    places
      .filter(({ type, name, defaultValue }) => name in known || (isNonNullType(type) && defaultValue === undefined))
      .map(({ name, type }) => [name, name in known ? known[name] : valueFor(type, known)]),
  );

function valueFor(type: GraphQLInputType, known: Known): unknown {
  if (isNonNullType(type)) return valueFor(type.ofType, known);
  if (isListType(type)) return [];
  if (isInputObjectType(type)) return valuesFor(Object.values(type.getFields()), known);
  if (isEnumType(type)) return type.getValues()[0]?.name;
  const made: Record<string, unknown> = {
    ID: randomUUID(),
    Int: 1,
    Float: 1,
    Boolean: true,
    Date: '2030-01-01',
    DateTime: '2030-01-01T00:00:00Z',
    JSON: {},
  };
  return made[type.name] ?? 'made-up';
}
