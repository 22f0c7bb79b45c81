import type { Log } from '@foyer/shared/log';
import type { SetCookie } from '@foyer/shared/request';
import { INTRODUCTION, type Introduce } from '@foyer/shared/signed-viewer';
import { carriedTrace, traced } from '@foyer/shared/tracing';
import {
  BrokenCircuitError,
  circuitBreaker,
  CircuitState,
  ConsecutiveBreaker,
  handleWhen,
  type CircuitBreakerPolicy,
} from 'cockatiel';
import type { GraphQLFormattedError } from 'graphql';
import { errors as undiciErrors, Pool } from 'undici';

import type { Config } from '../config.ts';
import { timeFetch } from '../metrics.ts';
import type { OperationContext } from '../operation-context.ts';
import type { DataSource, Fetch } from './data-source.ts';
import { inFlight } from './in-flight.ts';
import { overWebSocket } from './over-web-socket.ts';
import { asRefusal, shownErrors, TooSlow } from './remote-errors.ts';
import { retryBudget } from './retry-budget.ts';

type Options = Config['subgraphs'];

export interface Needs {
  name: string;
  url: string;
  options: Options;
  log: Log;
  /** Tells a subgraph of ours who asks. It may then ask for cookies; one of others gets the forwarded headers alone. */
  introduce?: Introduce | undefined;
  /** What all subgraphs of a gateway count together: a change in one may show in another. */
  changes: Changes;
}

export interface Changes {
  /** How many were answered so far. */
  answered: number;
}

/**
 * Calls a subgraph on the network: a pool of kept connections, a time limit, one more try for queries
 * as far as the budget goes, a circuit breaker, and one request for all who ask the same at once.
 *
 * What is "the same" is all that the answer may depend on: the subgraph, the operation with its
 * variables, the viewer, and every header that is passed on. Mutations are always sent, and once.
 */
export function overHttp(needs: Needs): DataSource {
  const { name, url, options, log, introduce, changes } = needs;
  const post = poster(url, options);
  const protect = protection(options);
  const sharing = inFlight<string>();
  const streams = overWebSocket(needs);

  async function text(fetch: Fetch, context: OperationContext): Promise<string> {
    const { query, operationName, variables } = fetch;
    const body = JSON.stringify({ query, variables, operationName });
    const headers = {
      ...headersOf(context),
      ...(introduce && { [INTRODUCTION]: await introduce(name, context.scope) }),
    };
    const call = { kind: 'client', attributes: { 'http.request.method': 'POST', 'foyer.subgraph': name } } as const;
    const send = (signal: AbortSignal) =>
      protect(fetch.kind, () =>
        traced(`POST ${name}`, call, () => post(body, { ...headers, ...carriedTrace() }, signal)),
      );
    if (fetch.kind !== 'query') return send(context.scope.signal).finally(() => (changes.answered += 1));
    const asker = introduce ? `${context.rights()} ${JSON.stringify(context.scope.client)}` : context.rights();
    // Who asks after a change does not join a question from before it.
    return sharing(`${changes.answered} ${asker} ${body}`, context.scope.signal, send);
  }

  return {
    async fetch(fetch, context) {
      const done = timeFetch(name);
      try {
        const { data, errors, extensions } = readAnswer(await text(fetch, context));
        if (introduce && extensions?.cookies) context.scope.reply.cookies.push(...extensions.cookies);
        done(errors !== undefined);
        return {
          ...(data !== undefined && { data }),
          ...(errors && { errors: shownErrors(errors, { name, options, log, context }) }),
        };
      } catch (error) {
        done(true);
        log.warn({ err: error, subgraph: name, requestId: context.scope.requestId }, 'a subgraph did not answer');
        return { data: null, errors: [asRefusal(error)] };
      }
    },
    subscribe: streams.subscribe,
    async close() {
      await Promise.all([streams.close(), post.close()]);
    },
  };
}

const headersOf = ({ scope, forwarded }: OperationContext) => ({
  'content-type': 'application/json',
  accept: 'application/graphql-response+json, application/json',
  'x-request-id': scope.requestId,
  ...forwarded,
});

class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/** This very request is not taken: that says nothing about the subgraph, and the next try would end alike. */
class NotTaken extends Error {
  override readonly name = 'NotTaken';
}

/** Posts a body and reads the answer's, within the time limit. */
function poster(url: string, { connections, timeoutMs, answerBytes }: Options) {
  const { origin, pathname, search } = new URL(url);
  const pool = new Pool(origin, {
    connections,
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: answerBytes,
  });

  async function post(body: string, headers: Record<string, string>, signal: AbortSignal): Promise<string> {
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
      // A subgraph that refuses a request says so in GraphQL; anything else comes from something in between.
      if (answer.statusCode >= 300 && !isGraphQL(type, text)) throw notGraphQL(answer.statusCode);
      return text;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', leave);
    }
  }
  return Object.assign(post, { close: () => pool.close() });
}

/** Too slow (408) and too often (429) are no fault of the request. */
const notGraphQL = (status: number) =>
  status >= 400 && status < 500 && status !== 408 && status !== 429
    ? new NotTaken(`status ${status}`)
    : new NoAnswer(`status ${status}`);

const isGraphQL = (type: string, text: string) => /json/.test(type) && /"(errors|data)"/.test(text);

/** The breaker, and behind it the retries that the budget allows. */
function protection({ retryShare, breakerFailures, breakerMs }: Options) {
  const budget = retryBudget(retryShare);
  // A client that leaves says nothing about the subgraph. Was it the one to find out whether it is back, then nobody
  // knows, and it is left alone for another while.
  const counts = (error: unknown) =>
    !isOfRequest(error) && (!hasLeft(error) || breaker.state === CircuitState.HalfOpen);
  const breaker: CircuitBreakerPolicy = circuitBreaker(handleWhen(counts), {
    halfOpenAfter: breakerMs,
    breaker: new ConsecutiveBreaker(breakerFailures),
  });

  async function attempt(send: () => Promise<string>): Promise<string> {
    // Somebody is finding out whether it is back: the breaker itself would make all others wait for that.
    if (breaker.state === CircuitState.HalfOpen) throw new BrokenCircuitError();
    return breaker.execute(send);
  }

  return async (kind: Fetch['kind'], send: () => Promise<string>): Promise<string> => {
    budget.earn();
    return attempt(send).catch((error: unknown) => {
      const final =
        error instanceof BrokenCircuitError || error instanceof TooSlow || isOfRequest(error) || hasLeft(error);
      if (kind !== 'query' || final || !budget.spend()) throw error;
      return attempt(send);
    });
  };
}

const isOfRequest = (error: unknown) =>
  error instanceof NotTaken || error instanceof undiciErrors.ResponseExceededMaxSizeError;

const hasLeft = (error: unknown) => error instanceof Error && error.name === 'AbortError';

interface Raw {
  data?: Record<string, unknown> | null;
  errors?: readonly GraphQLFormattedError[] | null;
  /** Of a subgraph of ours: what its use case asks of the HTTP answer. */
  extensions?: { cookies?: readonly SetCookie[] };
}

function readAnswer(text: string): Raw {
  const answer: unknown = JSON.parse(text);
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) throw new NoAnswer('no GraphQL answer');
  const { data, errors: told, extensions } = answer as Raw;
  const errors = told ?? undefined; // some write null where there are none
  if (errors !== undefined && !Array.isArray(errors)) throw new NoAnswer('errors that are no list');
  return { ...(data !== undefined && { data }), ...(errors?.length && { errors }), ...(extensions && { extensions }) };
}
