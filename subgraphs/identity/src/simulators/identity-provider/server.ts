import { createHash, timingSafeEqual } from 'node:crypto';

import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { z } from 'zod';

import { calls } from '../../adapters/identity-provider/calls.ts';
import { invalid, ProviderError } from './errors.ts';
import { listUsers } from './list-users.ts';
import { addOrganization, deleteOrganization, listOrganizations } from './organizations.ts';
import { complexity } from './passwords.ts';
import type { Provider } from './provider.ts';
import { createSession, deleteSession } from './sessions.ts';
import { addHumanUser, createUser, deleteUser, getUser, moveUser, setPassword, updateUser } from './users.ts';

type Procedure = (provider: Provider, body: unknown) => object | Promise<object>;

const procedures: Record<keyof typeof calls, Procedure> = {
  addOrganization,
  listOrganizations,
  deleteOrganization,
  createUser,
  addHumanUser,
  listUsers,
  getUser,
  updateUser,
  setPassword,
  deactivateUser: moveUser('USER_STATE_ACTIVE', 'USER_STATE_INACTIVE'),
  reactivateUser: moveUser('USER_STATE_INACTIVE', 'USER_STATE_ACTIVE'),
  lockUser: moveUser('USER_STATE_ACTIVE', 'USER_STATE_LOCKED'),
  unlockUser: moveUser('USER_STATE_LOCKED', 'USER_STATE_ACTIVE'),
  deleteUser,
  createSession,
  deleteSession,
  passwordRules: () => ({ settings: { ...complexity, resourceOwnerType: 'RESOURCE_OWNER_TYPE_INSTANCE' } }),
};

const NOT_FOUND = { code: 5, message: 'Not Found', details: [] };
const STATUS_OF_UNKNOWN = 404;

/** The procedures of version 4, which an older server does not have. */
const modern = new Set<string>(['createUser', 'updateUser', 'deleteOrganization']);

/** Serves both families: Connect under /<service>/<method>, REST under verb and path. */
export function providerServer(
  provider: Provider,
  { token, version }: { token: string; version: 'v4' | 'v2' },
): FastifyInstance {
  const app = fastify({ bodyLimit: 1_048_576, forceCloseConnections: true });
  app.setNotFoundHandler((_request, response) => response.code(STATUS_OF_UNKNOWN).send(NOT_FOUND));
  // The procedures judge the body, whatever its type.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  app.get('/debug/healthz', () => 'ok');
  app.get('/debug/ready', () => 'ok');

  for (const [name, call] of Object.entries(calls)) {
    const procedure = procedures[name as keyof typeof calls];
    if (version === 'v2' && modern.has(name)) continue;
    const answer = (family: 'connect' | 'rest') => async (request: FastifyRequest, response: FastifyReply) => {
      try {
        authorize(request, token);
        return await procedure(provider, bodyOf(request));
      } catch (error) {
        const refused =
          error instanceof z.ZodError ? invalid(`invalid ${call.method}Request: ${z.prettifyError(error)}`) : error;
        if (!(refused instanceof ProviderError)) throw error;
        return response.code(refused.status).send(refused.body(family));
      }
    };
    if (version === 'v4') app.post(`/${call.service}/${call.method}`, answer('connect'));
    app.route({ method: call.verb, url: call.path.replaceAll(/\{(\w+)\}/g, ':$1'), handler: answer('rest') });
  }
  return app;
}

/** Merges the path, the query string and the body into one message. */
function bodyOf({ body, params, query }: FastifyRequest): object {
  const parsed = typeof body === 'string' && body !== '' ? parseJson(body) : {};
  const fromQuery: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(query as Record<string, unknown>)) {
    const [outer = '', inner] = name.split('.');
    fromQuery[outer] = inner ? { [inner]: value } : value;
  }
  return { ...fromQuery, ...parsed, ...(params as Record<string, string>) };
}

function parseJson(text: string): object {
  try {
    const value = JSON.parse(text) as unknown;
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // falls through to the same refusal
  }
  throw invalid('proto: syntax error');
}

function authorize({ headers }: FastifyRequest, token: string) {
  const sent = headers.authorization;
  if (!sent) throw new ProviderError('unauthenticated', null, 'auth header missing');
  const digest = (text: string) => createHash('sha256').update(text).digest();
  if (!timingSafeEqual(digest(sent), digest(`Bearer ${token}`))) {
    throw new ProviderError('unauthenticated', 'AUTH-7fs1e', 'Errors.Token.Invalid');
  }
}
