import { GraphQLError } from 'graphql';

/** The parameters of a GraphQL request; only their types have been checked. */
export interface GraphQLParams {
  query?: string;
  /** Of a trusted document. */
  documentId?: string;
  /** The hash of a persisted query. */
  hash?: string;
  operationName?: string;
  variables?: Record<string, unknown>;
}

/** @throws {GraphQLError} `BAD_REQUEST` when a parameter is not of its type */
export function readParams(body: unknown): GraphQLParams {
  if (!isMap(body)) throw badRequest('A request is one JSON object; batches are not taken.');
  const { query, documentId, operationName, variables, extensions } = body;
  const hash = hashOf(extensions);
  return {
    ...text({ query, documentId, operationName }),
    ...(given(variables) && { variables: map('variables', variables) }),
    ...(hash !== undefined && { hash }),
  };
}

/** Reads the parameters from the query string of a GET. */
export function readQueryStringParams(parameters: Record<string, unknown>): GraphQLParams {
  const json = (name: string) => {
    const value = parameters[name];
    if (Array.isArray(value)) throw badRequest(`${name} is given twice.`);
    if (typeof value !== 'string' || value === '') return undefined;
    try {
      return JSON.parse(value) as unknown;
    } catch {
      throw badRequest(`${name} is no JSON.`);
    }
  };
  return readParams({ ...parameters, variables: json('variables'), extensions: json('extensions') });
}

const given = (value: unknown) => value !== undefined && value !== null;

function text(values: Record<'query' | 'documentId' | 'operationName', unknown>) {
  const texts: Partial<Record<keyof typeof values, string>> = {};
  for (const name of ['query', 'documentId', 'operationName'] as const) {
    const value = values[name];
    if (!given(value)) continue;
    if (typeof value !== 'string') throw badRequest(`${name} must be text.`);
    if (value !== '') texts[name] = value;
  }
  return texts;
}

function map(name: string, value: unknown): Record<string, unknown> {
  if (!isMap(value)) throw badRequest(`${name} must be an object.`);
  return value;
}

function hashOf(extensions: unknown): string | undefined {
  if (!given(extensions)) return undefined;
  const { persistedQuery } = map('extensions', extensions);
  if (!given(persistedQuery)) return undefined;
  const { version, sha256Hash } = map('persistedQuery', persistedQuery);
  if (version !== 1) throw badRequest('Persisted queries are taken in version 1.');
  if (typeof sha256Hash !== 'string') throw badRequest('sha256Hash must be text.');
  return sha256Hash;
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const badRequest = (message: string) => new GraphQLError(message, { extensions: { code: 'BAD_REQUEST' } });
