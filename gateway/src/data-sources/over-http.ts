import { headerValue, ownHeaderValue, type HeaderValue } from '@foyer/shared/http/header-value';
import type { Log } from '@foyer/shared/telemetry/log';
import { SIGNED_CONTEXT } from '@foyer/shared/graphql/signed-context';
import { carriedTrace, traced } from '@foyer/shared/telemetry/tracing';
import { Pool } from 'undici';

import type { Config } from '../config.ts';
import { timeFetch } from '@foyer/shared/graphql/metrics';
import { headersTo, type OperationContext } from '@foyer/shared/graphql/operation-context';
import type { DataSource, Fetch } from '@foyer/shared/graphql/data-source';
import { collectResponseHeaders } from '../header-rules/response-headers.ts';
import { breaker } from './breaker.ts';
import { hasLeft, isFaultOfSubgraph, notGraphQL, TooSlow } from './faults.ts';
import { inFlight } from './in-flight.ts';
import { overWebSocket } from './over-web-socket.ts';
import { asRefusal, errorsIn } from './remote-errors.ts';
import type { RemoteSubgraph } from './remote-subgraph.ts';
import { Reply } from './reply.ts';
import { retryBudget } from './retry-budget.ts';

type Options = Config['subgraphs'];

/**
 * Calls a subgraph on the network: with a connection pool, a timeout, a retry for queries within the retry budget, a
 * circuit breaker, and one request for equal queries at the same time.
 *
 * Queries are equal when everything is that the answer may depend on: the subgraph, the operation with its variables,
 * every header that it gets of the client, and the viewer where we sign them. A mutation is always sent, and exactly once.
 */
export function overHttp(remote: RemoteSubgraph): DataSource {
  const { name, url, options, log, signContext, changes } = remote;
  const post = poster(url, options);
  const protect = protection(options);
  const sharing = inFlight<Reply>();
  const streams = overWebSocket(remote);

  async function ask(fetch: Fetch, context: OperationContext): Promise<Reply> {
    const { query, operationName, variables } = fetch;
    const body = JSON.stringify({ query, variables, operationName });
    const headers = {
      ...headersOf(name, context),
      ...(signContext && { [SIGNED_CONTEXT]: ownHeaderValue(await signContext(name, context.scope)) }),
    };
    const call = { kind: 'client', attributes: { 'http.request.method': 'POST', 'foyer.subgraph': name } } as const;
    const send = (signal: AbortSignal) =>
      protect(fetch.kind, () =>
        traced(`POST ${name}`, call, () => post(body, { ...headers, ...traceHeaders() }, signal)),
      );
    if (fetch.kind !== 'query') return send(context.scope.signal).finally(() => (changes.answered += 1));
    const asker = signContext
      ? `${context.rights()} ${JSON.stringify(context.scope.client)}`
      : JSON.stringify(headersTo(name, context.forwarded));
    // A query after a mutation does not share the response to one from before it.
    return sharing(`${changes.answered} ${asker} ${body}`, context.scope.signal, send);
  }

  return {
    async fetch(fetch, context) {
      const done = timeFetch(name);
      try {
        const reply = await ask(fetch, context);
        const { data, errors, extensions } = reply.take();
        collectResponseHeaders(options.headers, name, reply.takeHeaders(), context.scope.reply);
        if (signContext && extensions?.cookies) context.scope.reply.cookies.push(...extensions.cookies);
        done(errors !== undefined);
        return {
          ...(data !== undefined && { data }),
          ...(errors && { errors: errorsIn(errors) }),
        };
      } catch (error) {
        done(true);
        tell(log, error, { subgraph: name, requestId: context.scope.requestId });
        return { data: null, errors: [asRefusal(error, fetch.kind)] };
      }
    },
    subscribe: streams.subscribe,
    async close() {
      await Promise.all([streams.close(), post.close()]);
    },
  };
}

/** Logs the error with its stack when the subgraph failed, and one line when a client caused it. */
function tell(log: Log, error: unknown, about: { subgraph: string; requestId: string }): void {
  if (isFaultOfSubgraph(error)) return log.warn({ err: error, ...about }, 'a subgraph did not answer');
  const reason = error instanceof Error ? error.message : String(error);
  if (hasLeft(error)) log.debug({ reason, ...about }, 'a client left before a subgraph had answered');
  else log.warn({ reason, ...about }, 'a subgraph was not asked, or did not take the request');
}

type Headers = Readonly<Record<string, HeaderValue>>;

const headersOf = (subgraph: string, { scope, forwarded }: OperationContext): Headers => ({
  'content-type': ownHeaderValue('application/json'),
  accept: ownHeaderValue('application/graphql-response+json, application/json'),
  'x-request-id': ownHeaderValue(scope.requestId),
  ...headersTo(subgraph, forwarded),
});

/** Clients may send any `tracestate`: values that no header may have are left out. */
const traceHeaders = (): Headers =>
  Object.fromEntries(
    Object.entries(carriedTrace()).flatMap(([name, text]) => {
      const value = headerValue(String(text));
      return value === undefined ? [] : [[name, value]];
    }),
  );

/** Posts a body and reads the response within the timeout. */
function poster(url: string, { connections, timeoutMs, answerBytes }: Options) {
  const { origin, pathname, search } = new URL(url);
  const pool = new Pool(origin, {
    connections,
    pipelining: 1,
    allowH2: false, // a call without an answer would leave the connection, and all others would go on to wait on it
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: answerBytes,
  });

  async function post(body: string, headers: Headers, signal: AbortSignal): Promise<Reply> {
    const over = new AbortController();
    const leave = () => over.abort(signal.reason);
    const timer = setTimeout(() => over.abort(new TooSlow(`no answer within ${timeoutMs} ms`)), timeoutMs);
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
    try {
      const path = `${pathname}${search}`;
      const answer = await pool.request({ path, method: 'POST', headers, body, signal: over.signal });
      const text = await answer.body.text();
      const type = String(answer.headers['content-type'] ?? '');
      // A subgraph refuses a request in GraphQL; any other response comes from a proxy.
      if (answer.statusCode >= 300 && !isGraphQL(type, text)) throw notGraphQL(answer.statusCode);
      return new Reply(text, answer.headers);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', leave);
    }
  }
  return Object.assign(post, { close: () => pool.close() });
}

const isGraphQL = (type: string, text: string) => /json/.test(type) && /"(errors|data)"/.test(text);

/** The circuit breaker, and behind it the retries within the budget. */
function protection(options: Options) {
  const budget = retryBudget(options.retryShare);
  const attempt = breaker(options);

  return async (kind: Fetch['kind'], send: () => Promise<Reply>): Promise<Reply> => {
    budget.earn();
    return attempt(send).catch((error: unknown) => {
      const again = isFaultOfSubgraph(error) && !(error instanceof TooSlow);
      if (kind !== 'query' || !again || !budget.spend()) throw error;
      return attempt(send);
    });
  };
}
