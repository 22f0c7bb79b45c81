import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { ConfigError } from '@foyer/shared/config/config';
import { GraphQLError } from 'graphql';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';

import type { Config } from '../config.ts';
import type { GraphQLParams } from './params.ts';

/** Either a map of documents by id (Relay), or a manifest of operations (Apollo's persisted queries). */
const Documents = z.union([
  z.object({ operations: z.array(z.object({ id: z.string(), body: z.string() })) }),
  z.record(z.string(), z.string()),
]);

/** Limits of the persisted queries that clients store: how many, and how many characters. The least recently used go first. */
const STORED = 1_000;
const STORED_CHARACTERS = 16_000_000;

/** Finds and stores the texts of documents. */
interface DocumentTexts {
  /**
   * Finds the text of a request's document: in the request itself, among the persisted queries by its hash, or among
   * the trusted documents by its id.
   *
   * @throws {GraphQLError} when there is none, or it may not be used
   */
  find(params: GraphQLParams): string;
  /** Stores a text that was sent with its hash; to be called once it has been validated. */
  store(params: GraphQLParams): void;
}

export function documentTexts({ trustedDocuments }: Pick<Config, 'trustedDocuments'>): DocumentTexts {
  const trusted = trustedDocuments.file ? readTrusted(trustedDocuments.file) : new Map<string, string>();
  const bodies = new Set(trusted.values());
  const stored = new LRUCache<string, string>({
    max: STORED,
    maxSize: STORED_CHARACTERS,
    sizeCalculation: (text) => text.length,
  });

  function persisted({ query, hash }: GraphQLParams): string {
    if (hash === undefined) throw badRequest('The request has no query.');
    const known = query ?? trusted.get(hash) ?? stored.get(hash);
    if (known === undefined) throw notFound();
    if (query === undefined) return known;
    if (createHash('sha256').update(query).digest('hex') !== hash) {
      throw badRequest('The hash is not that of the query.');
    }
    return query;
  }

  return {
    find(params) {
      const { query, documentId } = params;
      if (documentId !== undefined) {
        const text = trusted.get(documentId) ?? trusted.get(documentId.replace(/^sha256:/, ''));
        if (text === undefined) throw notTrusted();
        return text;
      }
      const text = query !== undefined && params.hash === undefined ? query : persisted(params);
      if (trustedDocuments.only && !bodies.has(text)) throw notTrusted();
      return text;
    },
    store({ query, hash, documentId }) {
      if (query !== undefined && hash !== undefined && documentId === undefined) stored.set(hash, query);
    },
  };
}

function readTrusted(file: string): Map<string, string> {
  try {
    const read = Documents.parse(JSON.parse(readFileSync(file, 'utf8')));
    if ('operations' in read && Array.isArray(read.operations)) {
      return new Map(read.operations.map(({ id, body }) => [id, body]));
    }
    return new Map(Object.entries(read as Record<string, string>));
  } catch (error) {
    throw new ConfigError(`TRUSTED_DOCUMENTS: ${(error as Error).message.split('\n', 1)[0]}`);
  }
}

const badRequest = (message: string) => new GraphQLError(message, { extensions: { code: 'BAD_REQUEST' } });

const notFound = () =>
  new GraphQLError('PersistedQueryNotFound', {
    extensions: { code: 'PERSISTED_QUERY_NOT_FOUND', http: { status: 200 } }, // so that clients send it, as Apollo's do
  });

const notTrusted = () =>
  new GraphQLError('Only documents that were registered beforehand are answered here.', {
    extensions: { code: 'DOCUMENT_NOT_TRUSTED', http: { status: 403 } },
  });
