import { createHash, randomUUID } from 'node:crypto';

import {
  GraphQLError,
  Kind,
  NoSchemaIntrospectionCustomRule,
  OperationTypeNode,
  print,
  SingleFieldSubscriptionsRule,
  TokenKind,
  validate,
  type DocumentNode,
  type Token,
  type ValidationRule,
} from 'graphql';
import { LRUCache } from 'lru-cache';

import type { Config } from '../config.ts';
import { withoutInfiniteNumbers } from '../input/numbers.ts';
import { withoutNul } from '../input/text.ts';
import { noteEqual } from './equal-documents.ts';
import { fieldsOf, withinLimits } from './limits.ts';

const DOCUMENTS = 2_000;
/** The memory for documents and their plans, as `bytesOf` estimates it. */
const MOST_BYTES = 128_000_000;

/** ApolloServer's store of valid documents, and the server's own documents, which need no validation. */
export interface Documents {
  get(key: string): Promise<DocumentNode | undefined>;
  set(key: string, document: DocumentNode): Promise<void>;
  delete(key: string): Promise<boolean>;
  /** Whether a text is that of a valid document which is kept here. */
  isKnown(text: string): boolean;
  /**
   * The text of a document of ours, by which ApolloServer finds the document here. It was checked against the public schema
   * when it was generated.
   */
  textOf(document: DocumentNode): string;
}

export function documentStore(): Documents {
  const known = new LRUCache<string, DocumentNode>({ max: DOCUMENTS, maxSize: MOST_BYTES });
  const ours = new Map<string, DocumentNode>();
  const texts = new WeakMap<DocumentNode, string>();

  return {
    // A key is the hash of the schema, a colon, and that of the document.
    get: async (key) => known.get(key) ?? ours.get(key.slice(key.indexOf(':') + 1)),
    async set(key, document) {
      const first = known.peek(key);
      if (first) noteEqual(document, first);
      else known.set(key, document, { size: bytesOf(document, forgetComments(document)) });
    },
    delete: async (key) => known.delete(key),
    isKnown(text) {
      const hash = hashOf(text);
      return known.keys().some((key) => key.endsWith(hash));
    },
    textOf(document) {
      const ready = texts.get(document);
      if (ready !== undefined) return ready;
      const text = `# ${randomUUID()}\n${print(document)}`; // no client can send it, and escape the limits
      texts.set(document, text);
      ours.set(hashOf(text), document);
      return text;
    },
  };
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The rules for clients' documents, besides those of GraphQL itself. */
export const documentRules = ({
  limits,
  introspection,
}: Pick<Config, 'limits' | 'introspection'>): ValidationRule[] => [
  ...(introspection ? [] : [NoSchemaIntrospectionCustomRule]),
  withoutConditionalSubscriptions,
  withinLimits(limits),
  withoutNul,
  withoutInfiniteNumbers,
];

/**
 * Estimates the memory of a valid document and of the plans of its operations, which live as long as it does.
 * The length of its text is no measure: with fragments, a few words select a thousand fields.
 */
const bytesOf = (document: DocumentNode, words: number): number =>
  2 * (document.loc?.source.body.length ?? 0) + 500 * words + 1_000 * fieldsOf(document) + 1;

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

/**
 * Refuses a subscription whose root field depends on a variable: the specification forbids it, and the planner has no plan
 * for it. The rule of graphql-js throws on it where it should report it, so it does not get to see the operation.
 */
const withoutConditionalSubscriptions: ValidationRule = (context) => ({
  Document(document) {
    const others = document.definitions.filter(
      (node) => node.kind !== Kind.OPERATION_DEFINITION || node.operation !== OperationTypeNode.SUBSCRIPTION,
    );
    if (others.length === document.definitions.length) return undefined;
    try {
      validate(context.getSchema(), document, [SingleFieldSubscriptionsRule]);
      return undefined;
    } catch {
      context.reportError(new GraphQLError('The root field of a subscription may not have @skip or @include.'));
      return { ...document, definitions: others };
    }
  },
});
