import type { GraphQLRequest } from '@apollo/server';
import { GraphQLError } from 'graphql';

/**
 * The parameters of a request that does not come through ApolloServer's HTTP layer, which reads its own alike. Only their
 * types are checked.
 *
 * @throws {GraphQLError} `BAD_REQUEST` when a parameter is not of its type
 */
export function readParams(body: unknown): GraphQLRequest {
  if (!isMap(body)) throw badRequest('A request is one JSON object; batches are not taken.');
  const { query, operationName, variables, extensions } = body;
  return {
    ...text('query', query),
    ...text('operationName', operationName),
    ...map('variables', variables),
    ...map('extensions', extensions),
  };
}

/** Reads the parameters from the query string of a GET. */
export function readQueryStringParams(parameters: Record<string, unknown>): GraphQLRequest {
  const json = (name: string) => {
    const value = parameters[name];
    if (Array.isArray(value)) throw badRequest(`${name} is given twice.`);
    if (typeof value !== 'string' || value.trim() === '') return undefined;
    try {
      return JSON.parse(value) as unknown;
    } catch {
      throw badRequest(`${name} is no JSON.`);
    }
  };
  return readParams({ ...parameters, variables: json('variables'), extensions: json('extensions') });
}

const given = (value: unknown) => value !== undefined && value !== null;

function text(name: string, value: unknown): Record<string, string> {
  if (!given(value) || value === '') return {};
  if (typeof value !== 'string') throw badRequest(`${name} must be text.`);
  return { [name]: value };
}

function map(name: string, value: unknown): Record<string, Record<string, unknown>> {
  if (!given(value)) return {};
  if (!isMap(value)) throw badRequest(`${name} must be an object.`);
  return { [name]: value };
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The error for a request that violates the protocol. */
export const badRequest = (message: string, http: { status?: number; headers?: Record<string, string> } = {}) =>
  new GraphQLError(message, { extensions: { code: 'BAD_REQUEST', http } });
