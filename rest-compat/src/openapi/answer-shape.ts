import type { ErrorCode } from '@foyer/shared/errors';
import { Refusal } from '@foyer/shared/errors';
import { isEnumType, isLeafType, isListType, isNonNullType, isObjectType, Kind } from 'graphql';
import type {
  DocumentNode,
  FragmentDefinitionNode,
  GraphQLObjectType,
  GraphQLOutputType,
  GraphQLSchema,
  SelectionSetNode,
} from 'graphql';

import type { Config } from '../config.ts';
import { OtherAnswer, type DocumentedRow } from '../route.ts';
import { mergeSchemas, sampleOf, schemaOf, type JsonSchema } from './json-schema.ts';

export interface AnswerShape {
  /** Of the JSON that the route answers with; undefined when it answers with something else only. */
  schema?: JsonSchema;
  /** Answers of another kind: pages, files, redirects. */
  others: Pick<OtherAnswer, 'status' | 'contentType'>[];
  /** What the answer itself turns into a refusal: a null that REST answers with 404. */
  refusals: { code: ErrorCode; reason: string }[];
}

/**
 * What a row answers, found by asking it: its `reply` is given one made-up result of its operation after the other,
 * each with something else null or another value of an enum, and what it makes of them is put together. So the
 * documented answer can't be another than the real one.
 */
export function answerShape(row: DocumentedRow, schema: GraphQLSchema): AnswerShape {
  const choices = new Map<string, number>();
  const first = samples(row.document, schema, { choices });
  const shape: AnswerShape = { others: [], refusals: [] };
  add(shape, row, first);
  for (const [path, options] of choices) {
    for (let option = 1; option < options; option += 1) {
      add(shape, row, samples(row.document, schema, { choices: new Map(), chosen: { path, option } }));
    }
  }
  return shape;
}

/** Stands for what a client has sent. */
const asked = { params: {}, query: { page: 1, limit: 20 }, headers: {}, body: {} };

function add(shape: AnswerShape, row: DocumentedRow, data: object): void {
  try {
    const answer = row.reply(data, asked, {} as Config);
    if (!(answer instanceof OtherAnswer)) {
      const found = schemaOf(JSON.parse(JSON.stringify(answer)));
      shape.schema = shape.schema ? mergeSchemas(shape.schema, found) : found;
    } else if (!shape.others.some(({ contentType }) => contentType === answer.contentType)) {
      shape.others.push(answer);
    }
  } catch (error) {
    // Another sample than the first may be of a kind that never comes, such as a null from a field of the platform.
    if (!(error instanceof Refusal)) return;
    const { code, reason } = error;
    if (!shape.refusals.some((known) => known.reason === reason)) shape.refusals.push({ code, reason });
  }
}

interface Choosing {
  /** Filled: where something else could stand, and how many things could. */
  choices: Map<string, number>;
  /** The one place where another option than the first is taken. */
  chosen?: { path: string; option: number };
}

function samples(document: DocumentNode, schema: GraphQLSchema, choosing: Choosing): object {
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
  if (isLeafType(inner)) return sampleOf(inner.name);
  if (isObjectType(inner) && selectionSet) return objectSample(inner, selectionSet, sampling, at);
  throw new Error(`there is no sample of ${String(type)}`);
}
