import { setCookieHeader } from '@foyer/shared/http/error-body';
import type { FastifyError, FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { GraphQLError, OperationTypeNode, type ExecutionResult } from 'graphql';

import { NotAdmitted, type Admitted } from '../admission/admission.ts';
import { readParams, readQueryStringParams, type GraphQLParams } from '../admission/params.ts';
import type { OperationContext } from '@foyer/shared/graphql/operation-context';
import { asOperation } from '@foyer/shared/graphql/operation-span';
import type { State } from '../supergraph/state.ts';
import { contextOf, type Needs } from '../request/context.ts';
import { repeatedIn } from './json-body.ts';
import { landingPage, type Example, type LandingPage } from './landing-page.ts';
import { accepted, isPreflighted, type Accepted } from './protocol.ts';
import { refusalReply } from './refusal-reply.ts';
import { protocolError, subscriptionOverHttp } from './refusals.ts';
import { eventStream } from './server-sent-events.ts';

const PATH = '/graphql';

interface RouteNeeds extends Needs {
  /** What the landing page offers to try. */
  examples: readonly Example[];
}

/** `/graphql` over HTTP, as "GraphQL over HTTP" specifies it; subscriptions by server-sent events. */
export function graphqlRoutes({ examples, ...needs }: RouteNeeds): FastifyPluginAsync {
  const { config } = needs;
  const page = config.sandbox ? landingPage(examples) : undefined;

  const open = new Set<FastifyReply['raw']>();
  const answering = { ...needs, open };

  return async (app) => {
    app.addHook('preClose', async () => {
      for (const raw of open) raw.destroy();
    });
    app.setErrorHandler((error: FastifyError, request, reply) =>
      refusalReply(needs, request.id, accepted(request.headers.accept), readableError(error)).send(reply),
    );
    readJson(app);
    app.route({
      method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      url: PATH,
      bodyLimit: config.limits.bodyBytes,
      async handler(request, reply) {
        const form = accepted(request.headers.accept);
        if (page && form?.form === 'text/html' && request.method === 'GET') return show(reply, page);
        try {
          return await answer(answering, request, reply, form);
        } catch (error) {
          return refusalReply(needs, request.id, form, error).send(reply);
        }
      },
    });
  };
}

/** Fastify's JSON parser, which also refuses duplicate names. */
function readJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    void parse(request, body, (error, value) => done(error ?? repeatedIn(body) ?? null, value));
  });
}

const show = (reply: FastifyReply, { html, policy }: LandingPage) =>
  reply
    .headers({ 'content-security-policy': policy, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
    .type('text/html; charset=utf-8')
    .send(html);

type Answering = Needs & { open: Set<FastifyReply['raw']> };

async function answer(needs: Answering, request: FastifyRequest, reply: FastifyReply, form: Accepted | undefined) {
  const params = read(request, form);
  const context = await contextOf(needs, request, reply);
  await needs.admission.countRequest(context);
  const state = needs.states.current();
  const release = needs.states.retain(state);
  if (form?.form === 'text/event-stream') {
    return eventStream(needs, { params, state, release, context, request, reply, open: needs.open });
  }
  const operation = asOperation(context, async () => {
    const admitted = needs.admission.admit(params, state.supergraph);
    mayRunOverHttp(admitted, request);
    return run(needs, state, admitted, context);
  });
  return send(reply, form, await operation.finally(release), context);
}

/** Checked only here, because what it allows depends on the method; admission checks the rest. */
function mayRunOverHttp({ planned }: Admitted, request: FastifyRequest): void {
  const { operation } = planned.operation;
  if (operation === OperationTypeNode.QUERY) return;
  if (operation === OperationTypeNode.SUBSCRIPTION) throw subscriptionOverHttp();
  if (request.method === 'GET') throw protocolError(405, 'GET takes queries only.', { allow: 'POST' });
}

function read(request: FastifyRequest, form: Accepted | undefined): GraphQLParams {
  const { method, headers } = request;
  if (method !== 'GET' && method !== 'POST') throw protocolError(405, 'Use POST, or GET.', { allow: 'GET, POST' });
  if (!form || form.form === 'text/html') throw protocolError(406, 'Answers are application/graphql-response+json.');
  if (!isPreflighted(headers)) {
    throw protocolError(
      400,
      'Send the content type application/json, or a header such as apollo-require-preflight: ' +
        'requests that a page of another site could make unasked are not answered.',
    );
  }
  return method === 'GET' ? readQueryStringParams(request.query as Record<string, unknown>) : readParams(request.body);
}

async function run({ execute, log }: Needs, state: State, admitted: Admitted, context: OperationContext) {
  const result = await execute(state, admitted, context);
  if (result.errors) log.debug({ requestId: context.scope.requestId }, 'an operation had errors');
  return result;
}

/** Reasons that mean the database is down: neither data nor the viewer's session could be read. */
const databaseDown = new Set<unknown>(['DATABASE_BUSY', 'REVOCATION_UNKNOWN']);

/** The `Retry-After` of a response that lacks any part because the database is down, in seconds. */
function busyFor({ data, errors = [] }: ExecutionResult): number | undefined {
  const answered = Object.values(data ?? {}).some((field) => field !== null);
  const busy = errors.find(({ extensions }) => databaseDown.has(extensions['reason']));
  return busy && !answered ? Number(busy.extensions['retryAfter'] ?? 1) : undefined;
}

/** The status of a response without data: nothing was executed, by fault of the request or of ours. */
const statusOf = (result: ExecutionResult, { form, named }: Accepted): number => {
  const { data, errors } = result;
  if (busyFor(result) !== undefined) return 503;
  if (data !== undefined || !errors || (named && form === 'application/json')) return 200;
  return errors.every(({ extensions }) => extensions['code'] === 'INTERNAL_SERVER_ERROR') ? 500 : 400;
};

function send(reply: FastifyReply, form: Accepted | undefined, result: ExecutionResult, context: OperationContext) {
  const { form: type, named } = form ?? { form: 'application/json' as const, named: false };
  const retryAfter = busyFor(result);
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
  for (const cookie of context.scope.reply.cookies) reply.header('set-cookie', setCookieHeader(cookie));
  return reply
    .code(statusOf(result, { form: type, named }))
    .header('content-type', `${type}; charset=utf-8`)
    .header('cache-control', 'no-store')
    .send(JSON.stringify(result));
}

/** The error of a body that can't be parsed, in the form that GraphQL clients read. */
function readableError(error: FastifyError | GraphQLError): unknown {
  if (error instanceof GraphQLError || error instanceof NotAdmitted) return error;
  const status = error.statusCode ?? 500;
  return status < 500 ? protocolError(status, error.message) : error;
}
