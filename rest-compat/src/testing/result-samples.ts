import { isEnumType, isLeafType, isListType, isNonNullType, isObjectType, Kind } from 'graphql';
import type {
  DocumentNode,
  FragmentDefinitionNode,
  GraphQLObjectType,
  GraphQLOutputType,
  GraphQLSchema,
  SelectionSetNode,
} from 'graphql';

/** Any text. It is also a content type, because a receipt has one. */
export const TEXT = 'application/pdf';

const scalars: Record<string, unknown> = {
  ID: '7',
  Int: 7,
  Float: 1.5,
  Boolean: true,
  DateTime: '2030-01-01T00:00:00.000Z',
  Date: '2030-01-01',
  JSON: { any: true },
};

/** Returns sample results of an operation, each with another field null or another value of an enum. */
export function resultSamples(document: DocumentNode, schema: GraphQLSchema): object[] {
  const choices = new Map<string, number>();
  const first = resultSample(document, schema, { choices });
  const others = [...choices].flatMap(([path, options]) =>
    Array.from({ length: options - 1 }, (_none, before) =>
      resultSample(document, schema, { choices: new Map(), chosen: { path, option: before + 1 } }),
    ),
  );
  return [first, ...others];
}

interface Choosing {
  /** Collected: the places with alternatives, and how many each has. */
  choices: Map<string, number>;
  /** The one place that takes another alternative than the first. */
  chosen?: { path: string; option: number };
}

function resultSample(document: DocumentNode, schema: GraphQLSchema, choosing: Choosing): object {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  const operation = document.definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error('a row has a document without an operation');
  const root = schema.getRootType(operation.operation);
  if (!root) throw new Error(`the public schema has no ${operation.operation}`);
  return objectSample(root, operation.selectionSet, { fragments, ...choosing }, '');
}

type Sampling = Choosing & { fragments: Map<string, FragmentDefinitionNode> };

function objectSample(type: GraphQLObjectType, { selections }: SelectionSetNode, sampling: Sampling, at: string) {
  const made: Record<string, unknown> = {};
  for (const selection of selections) {
    if (selection.kind === Kind.FIELD) {
      const name = selection.alias?.value ?? selection.name.value;
      const field = type.getFields()[selection.name.value];
      if (!field) throw new Error(`${type.name} has no ${selection.name.value}`);
      made[name] = sample(field.type, selection.selectionSet, sampling, `${at}.${name}`);
    } else {
      const spread = selection.kind === Kind.FRAGMENT_SPREAD ? sampling.fragments.get(selection.name.value) : selection;
      if (spread) Object.assign(made, objectSample(type, spread.selectionSet, sampling, at));
    }
  }
  return made;
}

function sample(
  type: GraphQLOutputType,
  selectionSet: SelectionSetNode | undefined,
  sampling: Sampling,
  at: string,
): unknown {
  const { choices, chosen } = sampling;
  const inner = isNonNullType(type) ? type.ofType : type;
  const values = isEnumType(inner) ? inner.getValues().map(({ value }: { value: unknown }) => value) : [undefined];
  const options = isNonNullType(type) ? values : [...values, null];
  if (options.length > 1) choices.set(at, options.length);
  const option = options[chosen?.path === at ? chosen.option : 0];
  if (option === null) return null;

  if (isListType(inner)) return [sample(inner.ofType, selectionSet, sampling, `${at}[]`)];
  if (isEnumType(inner)) return option;
  if (isLeafType(inner)) return scalars[inner.name] ?? TEXT;
  if (isObjectType(inner) && selectionSet) return objectSample(inner, selectionSet, sampling, at);
  throw new Error(`there is no sample of ${String(type)}`);
}
