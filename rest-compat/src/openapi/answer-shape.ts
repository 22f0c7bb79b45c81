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
  /** The schema of the JSON answer; undefined if the route never answers with JSON. */
  schema?: JsonSchema;
  /** Other answers: pages, files, redirects. */
  others: Pick<OtherAnswer, 'status' | 'contentType'>[];
  /** Refusals that `reply` throws: a null that REST answers with 404. */
  refusals: { code: ErrorCode; reason: string }[];
}

/**
 * Derives the answers of a route by running its `reply` on sample results of its operation, each with another field null
 * or another value of an enum, and merging what it returns. So the documented answer can't differ from the real one.
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

/** A stand-in for the input of a client. */
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
    // A sample other than the first may be impossible in practice, such as a null that the server never returns.
    if (!(error instanceof Refusal)) return;
    const { code, reason } = error;
    if (!shape.refusals.some((known) => known.reason === reason)) shape.refusals.push({ code, reason });
  }
}

interface Choosing {
  /** Collected: the places with alternatives, and how many each has. */
  choices: Map<string, number>;
  /** The one place that takes another alternative than the first. */
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
