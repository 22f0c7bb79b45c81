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

/** Documents that were stored by their hash by clients: this many, of so many characters in all; the least used go first. */
const STORED = 1_000;
const STORED_CHARACTERS = 16_000_000;

/** The texts of documents, by what requests say of them. */
interface DocumentTexts {
  /**
   * The text of the document that a request means: sent along, stored by its hash before
   * (automatic persisted queries), or one that this server was given as trusted.
   *
   * @throws {GraphQLError} when there is none, or it may not be used
   */
  find(asked: GraphQLParams): string;
  /** Stores a text that was sent with its hash; to be called when it is known to be a valid document. */
  store(asked: GraphQLParams): void;
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
    find(asked) {
      const { query, documentId } = asked;
      if (documentId !== undefined) {
        const text = trusted.get(documentId) ?? trusted.get(documentId.replace(/^sha256:/, ''));
        if (text === undefined) throw notTrusted();
        return text;
      }
      const text = query !== undefined && asked.hash === undefined ? query : persisted(asked);
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
