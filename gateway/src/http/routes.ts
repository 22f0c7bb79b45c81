import { AsyncLocalStorage } from 'node:async_hooks';

import type { ApolloServer } from '@apollo/server';
import { fastifyApolloHandler } from '@as-integrations/fastify';
import type { Authenticate } from '@foyer/shared/authentication';
import { Refusal } from '@foyer/shared/errors';
import { setCookieHeader } from '@foyer/shared/http';
import { isForeign } from '@foyer/shared/origin';
import type { RequestScope } from '@foyer/shared/request';
import type { FastifyError, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { GraphQLError, parse, type DocumentNode, type GraphQLFormattedError } from 'graphql';

import type { Config } from '../config.ts';
import { conditionalSubscription, type DocumentRules } from '../documents.ts';
import { operationContext, type OperationContext } from '../operation-context.ts';
import type { Supergraph } from '../supergraph.ts';
import { refusedCredential } from './apollo.ts';

const PATH = '/graphql';

/** Which request this is, for `formatError`: ApolloServer does not tell it. */
export const currentRequest = new AsyncLocalStorage<{ requestId: string }>();

interface Needs {
  server: ApolloServer<OperationContext>;
  authenticate: Authenticate;
  config: Config;
  rules: DocumentRules;
  supergraph(): Supergraph;
  formatError(error: unknown): GraphQLFormattedError;
}

/** `/graphql` over HTTP. */
export function graphqlRoutes(needs: Needs): FastifyPluginAsync {
  const { server, config, formatError } = needs;

  return async (app) => {
    app.setErrorHandler((error: FastifyError, request, reply) => {
      const status = error.statusCode ?? 500;
      const shown = currentRequest.run({ requestId: request.id }, () =>
        formatError(status < 500 ? notUnderstood(error) : error),
      );
      return reply.code(status).send({ errors: [shown] });
    });

    app.route({
      method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], // ApolloServer answers 405 to what it doesn't take
      url: PATH,
      bodyLimit: config.limits.bodyBytes,
      handler: (request, reply) =>
        currentRequest.run({ requestId: request.id }, async () => {
          const scope = scopeOf(request, reply);
          const answer = fastifyApolloHandler(server, { context: () => contextOf(needs, request, scope) });
          const body = await answer.call(app, request, reply);
          for (const cookie of scope.reply.cookies) reply.header('set-cookie', setCookieHeader(cookie));
          return body;
        }),
    });
  };
}

/** Like a REST client, a GraphQL client hears about a body that can't be read in the form that it reads. */
const notUnderstood = ({ message }: FastifyError) => new GraphQLError(message, { extensions: { code: 'BAD_REQUEST' } });

function scopeOf(request: FastifyRequest, { raw }: FastifyReply): RequestScope {
  const leaving = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) leaving.abort();
  });
  return {
    requestId: request.id,
    viewer: null,
    client: {
      address: request.ip,
      userAgent: request.headers['user-agent'] ?? '',
      platform: request.headers['service-platform'] === 'mobile' ? 'mobile' : 'web',
    },
    signal: leaving.signal,
    reply: { cookies: [] },
  };
}

async function contextOf(needs: Needs, request: FastifyRequest, scope: RequestScope): Promise<OperationContext> {
  const { viewer, by } = await needs.authenticate(request.headers).catch((error: unknown) => {
    throw error instanceof Refusal && error.code === 'UNAUTHENTICATED' ? refusedCredential(error) : error;
  });
  scope.viewer = viewer;
  refuseConditionalSubscription(needs, request);
  return operationContext(scope, {
    foreign: by === 'cookie' && isForeign(request.headers, needs.config.allowedOrigins),
  });
}

/** Looked at before ApolloServer validates the document: it would answer 500. */
function refuseConditionalSubscription({ supergraph, rules }: Needs, { body, query }: FastifyRequest): void {
  const text = ((body ?? query) as { query?: unknown } | undefined)?.query;
  if (typeof text !== 'string' || !/subscription[^]*@(skip|include)/.test(text)) return;
  const document = parsed(text, rules);
  const refused = document && conditionalSubscription(supergraph().publicSchema, document);
  if (!refused) return;
  throw new GraphQLError(refused.message, { extensions: { ...refused.extensions, http: { status: 400 } } });
}

/** Nothing when it does not parse: ApolloServer says what is wrong with it. */
function parsed(text: string, { parseOptions }: DocumentRules): DocumentNode | undefined {
  try {
    return parse(text, parseOptions);
  } catch {
    return undefined;
  }
}
