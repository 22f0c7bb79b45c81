import { createHash } from 'node:crypto';

import type { ApolloServerOptions, ApolloServerPlugin, GraphQLRequest } from '@apollo/server';
import { GraphQLError } from 'graphql';
import { LRUCache } from 'lru-cache';

import type { Config } from '../config.ts';
import { readTrustedDocuments } from '../documents/trusted-documents-file.ts';
import { isRefused, refuse } from './refuse.ts';
import type { GatewayContext } from '../request/context.ts';

/** Limits of the persisted queries that clients store: how many, and how many characters. The least recently used go first. */
const STORED = 1_000;
const STORED_CHARACTERS = 16_000_000;
const PREFIX = 'apq:';

/** ApolloServer's interface of a cache. */
type KeyValueCache = NonNullable<
  NonNullable<Exclude<ApolloServerOptions<GatewayContext>['persistedQueries'], false>>['cache']
>;

/**
 * Finds the texts of trusted documents, by their id or hash, and those of persisted queries, which clients store; where
 * only trusted documents are answered, it refuses all others before they are read.
 */
export function trustedDocuments({ trustedDocuments: { file, only } }: Pick<Config, 'trustedDocuments'>) {
  const trusted = file ? readTrustedDocuments(file) : new Map<string, string>();
  const bodies = new Set(trusted.values());
  const stored = new LRUCache<string, string>({
    max: STORED,
    maxSize: STORED_CHARACTERS,
    sizeCalculation: (text) => text.length,
  });

  /** Persisted queries, as ApolloServer looks them up: `apq:` and the hash. */
  const cache: KeyValueCache = {
    get: async (key) => trusted.get(key.slice(PREFIX.length)) ?? stored.get(key),
    set: async (key, text) => void stored.set(key, text),
    delete: async (key) => stored.delete(key),
  };

  const plugin: ApolloServerPlugin<GatewayContext> = {
    async requestDidStart(requestContext) {
      const { request, contextValue } = requestContext;
      if (contextValue.internal || isRefused(requestContext)) return;
      const id = documentIdOf(request) ?? '';
      if (id !== '') {
        if (typeof id !== 'string') return refuse(requestContext, badRequest('documentId must be text, given once.'));
        const text = trusted.get(id) ?? trusted.get(id.replace(/^sha256:/, ''));
        if (text === undefined) return refuse(requestContext, notTrusted());
        Object.assign(request, { query: text, extensions: undefined });
        return;
      }
      const wrong = wrongHash(request);
      if (wrong) return refuse(requestContext, wrong);
      if (only && request.query !== undefined && !bodies.has(request.query)) refuse(requestContext, notTrusted());
    },
  };
  return { cache, plugin };
}

/** The id of a trusted document (Relay). ApolloServer does not know this parameter: it is still in the HTTP request. */
function documentIdOf({ http }: GraphQLRequest): unknown {
  if (!http) return undefined;
  if (http.method !== 'GET') return Object(http.body)['documentId'];
  const given = new URLSearchParams(http.search).getAll('documentId');
  return given.length > 1 ? given : given[0];
}

/** What is wrong with the hash of a persisted query; ApolloServer would say it with a code of its own faults. */
function wrongHash({ query, extensions }: GraphQLRequest): GraphQLError | undefined {
  const { persistedQuery } = extensions ?? {};
  if (persistedQuery === undefined || persistedQuery === null) return undefined;
  const { version, sha256Hash } = Object(persistedQuery) as Record<string, unknown>;
  if (version !== 1) return badRequest('Persisted queries are taken in version 1.');
  if (typeof sha256Hash !== 'string') return badRequest('sha256Hash must be text.');
  if (query === undefined || createHash('sha256').update(query).digest('hex') === sha256Hash) return undefined;
  return badRequest('The hash is not that of the query.');
}

const badRequest = (message: string) => new GraphQLError(message, { extensions: { code: 'BAD_REQUEST' } });

const notTrusted = () =>
  new GraphQLError('Only documents that were registered beforehand are answered here.', {
    extensions: { code: 'DOCUMENT_NOT_TRUSTED', http: { status: 403 } },
  });
