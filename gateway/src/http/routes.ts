import { isUtf8 } from 'node:buffer';

import type { ApolloServer, HTTPGraphQLRequest, HTTPGraphQLResponse } from '@apollo/server';
import type { Authenticate } from '@foyer/shared/auth/authentication';
import { beginOperation, endOperation } from '@foyer/shared/graphql/operation-span';
import { setCookieHeader } from '@foyer/shared/http/error-body';
import { loggingAbout } from '@foyer/shared/telemetry/log';
import type { FastifyError, FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { GraphQLError } from 'graphql';

import { badRequest } from '../request/params.ts';
import type { Config } from '../config.ts';
import { withHttpHead } from '../plugins/http-status.ts';
import type { GatewayContext } from '../request/context.ts';
import { headerMapOf } from '../request/http-request.ts';
import { contextOf } from '../request/request-scope.ts';
import { repeatedIn } from './json-body.ts';
import type { LandingPage } from './landing-page.ts';
import { negotiated } from '../request/negotiation.ts';
import { streamedResponse, type StreamNeeds } from './streamed-response.ts';

const PATH = '/graphql';

interface Needs extends Omit<StreamNeeds, 'open'> {
  server: ApolloServer<GatewayContext>;
  authenticate: Authenticate;
  config: Config;
  page: LandingPage | undefined;
}

/** `/graphql` over HTTP: ApolloServer's answers, and subscriptions as event streams and multipart responses. */
export function graphqlRoutes(needs: Needs): FastifyPluginAsync {
  const { page } = needs;
  const open: StreamNeeds['open'] = new Set();
  return async (app) => {
    app.addHook('preClose', async () => {
      for (const raw of open) raw.destroy();
    });
    app.setErrorHandler((error: FastifyError, request, reply) => refused(needs, request, reply, readableError(error)));
    readJson(app);
    app.route({
      method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      url: PATH,
      bodyLimit: needs.config.limits.bodyBytes,
      handler: (request, reply) =>
        loggingAbout({ requestId: request.id }, async () => {
          if (request.method !== 'GET' && request.method !== 'POST') {
            return refused(needs, request, reply, otherMethod());
          }
          const { type } = negotiated(request.headers.accept);
          if (type === 'text/event-stream' || type === 'multipart/mixed') {
            return streamedResponse({ ...needs, open }, request, reply, type, (error) =>
              refused(needs, request, reply, error),
            );
          }
          // ApolloServer looks at it only after the execution.
          if (!type || (type === 'text/html' && !(page && request.method === 'GET'))) {
            return refused(needs, request, reply, notAcceptable());
          }
          return answered(needs, request, reply);
        }),
    });
  };
}

/** Fastify's JSON parser, which also refuses duplicate names, and bytes that it would read as U+FFFD. */
function readJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    if (!isUtf8(bytes)) return done(badRequest('The body is not UTF-8, which JSON must be.'));
    const body = bytes.toString();
    return void parse(request, body, (error, value) => done(error ?? repeatedIn(body) ?? null, value));
  });
}

async function answered({ server, page, ...needs }: Needs, request: FastifyRequest, reply: FastifyReply) {
  let context: GatewayContext | undefined;
  const httpGraphQLRequest = httpRequestOf(request);
  const open = async () => {
    context = await contextOf(needs, request, reply, { carriesStreams: false });
    beginOperation(context);
    return context;
  };
  try {
    const response = await server.executeHTTPGraphQLRequest({
      httpGraphQLRequest,
      context: () => open().catch(failHttp),
    });
    const { cookies = [], headers = [] } = context?.scope.reply ?? {};
    for (const cookie of cookies) reply.header('set-cookie', setCookieHeader(cookie));
    return await send(reply, response, page, headers);
  } finally {
    if (context) endOperation(context);
  }
}

/** Answers a request that never became an operation; ApolloServer writes the response, as for all others. */
async function refused({ server, page }: Needs, request: FastifyRequest, reply: FastifyReply, error: unknown) {
  const httpGraphQLRequest = { ...httpRequestOf(request), method: 'POST', body: undefined };
  httpGraphQLRequest.headers.set('content-type', 'application/json'); // no check of ApolloServer's comes before the error
  const response = await loggingAbout({ requestId: request.id }, () =>
    server.executeHTTPGraphQLRequest({ httpGraphQLRequest, context: async () => failHttp(error) }),
  );
  return send(reply, response, page);
}

function failHttp(error: unknown): never {
  throw withHttpHead(error);
}

const otherMethod = () => badRequest('Use POST, or GET.', { status: 405, headers: { allow: 'GET, POST' } });

const notAcceptable = () => badRequest('Responses are application/graphql-response+json.', { status: 406 });

function httpRequestOf({ method, headers, body, url }: FastifyRequest): HTTPGraphQLRequest {
  const at = url.indexOf('?');
  return { method, headers: headerMapOf(headers), body, search: at === -1 ? '' : withoutNulls(url.slice(at)) };
}

/** A query string without maps that are null or empty: ApolloServer would refuse them, although they may be left out. */
function withoutNulls(search: string): string {
  const parameters = new URLSearchParams(search);
  const omitted = ['variables', 'extensions'].filter((name) => {
    const [text, another] = parameters.getAll(name);
    return text !== undefined && another === undefined && ['', 'null'].includes(text.trim());
  });
  if (omitted.length === 0) return search;
  for (const name of omitted) parameters.delete(name);
  return `?${parameters.toString()}`;
}

/** @param ofSubgraphs headers of subgraphs that the client gets, too */
function send(
  reply: FastifyReply,
  { status, headers, body }: HTTPGraphQLResponse,
  page: LandingPage | undefined,
  ofSubgraphs: Iterable<[string, readonly string[]]> = [],
) {
  if (body.kind !== 'complete') throw new Error('nothing here is delivered incrementally');
  reply.headers({ 'cache-control': 'no-store', ...Object.fromEntries(headers) });
  for (const [name, values] of ofSubgraphs) reply.header(name, name === 'set-cookie' ? [...values] : values.join(', '));
  if (headers.get('content-type') === 'text/html') {
    reply.headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': page?.policy,
      'x-content-type-options': 'nosniff',
    });
  }
  return reply.code(status ?? 200).send(body.string);
}

/** The error of a body that can't be parsed, in the form that GraphQL clients read. */
function readableError(error: FastifyError | GraphQLError): unknown {
  if (error instanceof GraphQLError) return error;
  const status = error.statusCode ?? 500;
  return status < 500 ? badRequest(error.message, { status }) : error;
}
