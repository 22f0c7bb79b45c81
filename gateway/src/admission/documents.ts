import { traced } from '@foyer/shared/telemetry/tracing';
import {
  GraphQLError,
  NoSchemaIntrospectionCustomRule,
  parse,
  SingleFieldSubscriptionsRule,
  specifiedRules,
  TokenKind,
  validate,
  type DocumentNode,
  type GraphQLSchema,
  type Token,
  type ValidationRule,
} from 'graphql';
import { LRUCache } from 'lru-cache';

import type { Config } from '../config.ts';
import { fieldsOf, withinLimits } from './limits.ts';
import { withoutNul } from '../input/text.ts';

const DOCUMENTS = 2_000;
/** The memory for documents and their plans, as `bytesOf` estimates it. */
const MOST_BYTES = 128_000_000;

/** Parses clients' documents and validates them against GraphQL's rules and our limits. Valid ones are cached. */
export function documentReader({ limits, introspection }: Pick<Config, 'limits' | 'introspection'>) {
  const rules: Rules = {
    maxTokens: limits.tokens,
    introspection,
    all: [
      ...specifiedRules,
      ...(introspection ? [] : [NoSchemaIntrospectionCustomRule]),
      withinLimits(limits),
      withoutNul,
    ],
  };
  const bySchema = new WeakMap<GraphQLSchema, LRUCache<string, DocumentNode>>();

  return (schema: GraphQLSchema, text: string): DocumentNode | readonly GraphQLError[] => {
    const known = bySchema.get(schema) ?? new LRUCache<string, DocumentNode>({ max: DOCUMENTS, maxSize: MOST_BYTES });
    bySchema.set(schema, known);
    const ready = known.get(text);
    if (ready) return ready;
    const document = readDocument(rules, schema, text);
    if ('kind' in document) known.set(text, document, { size: bytesOf(document, text, forgetComments(document)) });
    return document;
  };
}

interface Rules {
  maxTokens: number;
  introspection: boolean;
  all: readonly ValidationRule[];
}

function readDocument(rules: Rules, schema: GraphQLSchema, text: string): DocumentNode | readonly GraphQLError[] {
  let document: DocumentNode;
  try {
    document = traced('graphql.parse', {}, () => parse(text, { maxTokens: rules.maxTokens }));
  } catch (error) {
    return [withCode(error instanceof GraphQLError ? error : tooDeep(), 'GRAPHQL_PARSE_FAILED')];
  }
  const conditional = conditionalSubscription(schema, document);
  if (conditional) return [conditional];
  const errors = traced('graphql.validate', {}, () =>
    validate(schema, document, rules.all, { hideSuggestions: !rules.introspection }),
  );
  if (errors.length === 0) return document;
  return errors.map((error) => withCode(error, 'GRAPHQL_VALIDATION_FAILED'));
}

/**
 * Estimates the memory of a valid document and of the plans of its operations, which live as long as it does.
 * The length of its text is no measure: with fragments, a few words select a thousand fields.
 */
const bytesOf = (document: DocumentNode, text: string, words: number): number =>
  2 * text.length + 500 * words + 1_000 * fieldsOf(document);

/**
 * Unlinks the tokens of a document from each other: nothing reads those links any more, and the comments, which no
 * limit counts, hang between them.
 *
 * @returns the number of tokens
 */
function forgetComments({ loc }: DocumentNode): number {
  let words = 0;
  let token: Mutable<Token> | null | undefined = loc?.startToken;
  while (token) {
    if (token.kind !== TokenKind.COMMENT) words += 1;
    const { next }: Token = token;
    token.prev = token.next = null;
    token = next;
  }
  return words;
}

type Mutable<Of> = { -readonly [Name in keyof Of]: Of[Name] };

/** For brackets nested so deep that the parser runs out of stack. */
const tooDeep = () => new GraphQLError('The document nests too deep.', { extensions: { reason: 'MAX_DEPTH' } });

function withCode(error: GraphQLError, code: string): GraphQLError {
  const { nodes, source, positions, extensions } = error;
  return new GraphQLError(error.message, {
    nodes: nodes ?? null,
    source: source ?? null,
    positions: positions ?? null,
    extensions: { ...extensions, code },
  });
}

/**
 * A subscription whose root field depends on a variable: the specification forbids it, graphql-js
 * throws on it where it should report it, and the planner has no plan for it.
 */
function conditionalSubscription(schema: GraphQLSchema, document: DocumentNode): GraphQLError | undefined {
  try {
    validate(schema, document, [SingleFieldSubscriptionsRule]);
    return undefined;
  } catch {
    return new GraphQLError('The root field of a subscription may not have @skip or @include.', {
      extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
    });
  }
}
