import { traced } from '@foyer/shared/tracing';
import {
  GraphQLError,
  NoSchemaIntrospectionCustomRule,
  parse,
  SingleFieldSubscriptionsRule,
  specifiedRules,
  validate,
  type DocumentNode,
  type GraphQLSchema,
  type ValidationRule,
} from 'graphql';
import { LRUCache } from 'lru-cache';

import type { Config } from './config.ts';
import { withinLimits } from './limits.ts';
import { withoutNul } from './text.ts';

const DOCUMENTS = 2_000;

/** Reads what clients send, and checks it against the rules of GraphQL and our limits. Valid documents are kept. */
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
    const known = bySchema.get(schema) ?? new LRUCache<string, DocumentNode>({ max: DOCUMENTS });
    bySchema.set(schema, known);
    const ready = known.get(text);
    if (ready) return ready;
    const document = readDocument(rules, schema, text);
    if (!Array.isArray(document)) known.set(text, document as DocumentNode);
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
  const errors = traced('graphql.validate', {}, () => validate(schema, document, rules.all));
  if (errors.length === 0) return document;
  return errors.map((error) => withCode(error, 'GRAPHQL_VALIDATION_FAILED', rules.introspection));
}

/** Brackets within brackets, until the parser itself gives up. */
const tooDeep = () => new GraphQLError('The document nests too deep.', { extensions: { reason: 'MAX_DEPTH' } });

function withCode(error: GraphQLError, code: string, suggest = true): GraphQLError {
  const { nodes, source, positions, extensions } = error;
  return new GraphQLError(suggest ? error.message : error.message.replace(/ ?Did you mean(.+?)\?$/, ''), {
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
