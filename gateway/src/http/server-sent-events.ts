import { once } from 'node:events';

import { setCookieHeader } from '@foyer/shared/http/error-body';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { GraphQLError, OperationTypeNode, type ExecutionResult } from 'graphql';

import { NotAdmitted } from '../admission/admission.ts';
import type { GraphQLParams } from '../admission/params.ts';
import { publicErrorOf } from '@foyer/shared/graphql/error-masking';
import type { OperationContext } from '@foyer/shared/graphql/operation-context';
import { asOperation } from '@foyer/shared/graphql/operation-span';
import type { State } from '../supergraph/state.ts';
import { openCredential, type Credential } from '../streams/credential.ts';
import type { Needs } from '../request/context.ts';
import { protocolError } from './refusals.ts';

interface Opening {
  params: GraphQLParams;
  state: State;
  release(): void;
  context: OperationContext;
  request: FastifyRequest;
  reply: FastifyReply;
  /** The open responses: destroyed when the server closes, so that clients reconnect. */
  open: Set<FastifyReply['raw']>;
}

/** The interval of comments that keep proxies from closing a quiet stream. */
const HEARTBEAT_MS = 12_000;

/**
 * Responds in server-sent events (graphql-sse, distinct connections mode): `next` with each result, then `complete`. Errors
 * of the document are a result, too; an invalid credential was refused before, by a status.
 */
export async function eventStream(needs: Needs, opening: Opening): Promise<FastifyReply> {
  const { reply, release, context } = opening;
  const events = eventsOf(opening);
  try {
    const answer = await asOperation(context, () => answerTo(needs, opening, events));
    if (Symbol.asyncIterator in answer) await passOn(needs, opening, events, answer);
    else await events.next(answer);
  } catch (error) {
    await events.next({ errors: shown(needs, opening, error) });
  } finally {
    release();
    events.end();
  }
  return reply;
}

type Results = AsyncIterableIterator<ExecutionResult>;

async function answerTo(needs: Needs, opening: Opening, events: Events): Promise<Results | ExecutionResult> {
  const { params, state, context, request } = opening;
  const admitted = needs.admission.admit(params, state.supergraph);
  const { operation } = admitted.planned.operation;
  if (operation === OperationTypeNode.MUTATION) {
    if (request.method === 'GET') throw protocolError(405, 'GET takes queries and subscriptions only.');
  }
  if (operation !== OperationTypeNode.SUBSCRIPTION) return needs.execute(state, admitted, context);
  events.begin();
  const results = await needs.streams.open(state, admitted, context);
  if ('errors' in results) throw new NotAdmitted(results.errors);
  return results;
}

/** Sends results until there are no more, the client has gone, or its credential is no longer valid. */
async function passOn(needs: Needs, opening: Opening, events: Events, results: Results): Promise<void> {
  const { context } = opening;
  const leaving = context.scope.signal;
  let credential: Credential | undefined;
  const ending: { why?: GraphQLError } = {};
  const stop = () => void results.return?.();
  leaving.addEventListener('abort', stop, { once: true });
  try {
    if (leaving.aborted) return;
    credential = await credentialOf(needs, opening);
    credential?.watch((why) => {
      ending.why = noLonger(why, context);
      stop();
    });
    for await (const result of results) await events.next(result);
    if (ending.why) await events.next({ errors: [ending.why] });
  } finally {
    credential?.stop();
    stop(); // also when the credential is no longer valid
  }
}

/** A stream may last longer than the credential that opened it. */
async function credentialOf(needs: Needs, { request, context }: Opening): Promise<Credential | undefined> {
  const { clock, config, authenticate } = needs;
  if (!context.scope.viewer) return undefined;
  return openCredential({ authenticate, clock, recheckMs: config.streams.recheckMs }, request.headers);
}

const noLonger = (why: 'expired' | 'revoked', context: OperationContext) =>
  new GraphQLError(why === 'expired' ? 'The token has expired.' : 'The token was revoked.', {
    extensions: {
      code: 'UNAUTHENTICATED',
      reason: why === 'expired' ? 'TOKEN_EXPIRED' : 'TOKEN_REVOKED',
      requestId: context.scope.requestId,
    },
  });

function shown({ log }: Needs, { context }: Opening, error: unknown): readonly GraphQLError[] {
  const where = { requestId: context.scope.requestId, log };
  const errors = error instanceof NotAdmitted ? error.errors : [error];
  return errors.map((one) => (hasRequestId(one) ? one : publicErrorOf(one, where)));
}

/** The errors as clients get them; those of a stream that could not be opened are public already. */
const hasRequestId = (error: unknown): error is GraphQLError =>
  error instanceof GraphQLError && error.extensions['requestId'] !== undefined;

interface Events {
  /** Writes the head of the response, unless it was written. */
  begin(): void;
  /** Waits for a slow client; meanwhile its events wait in the stream's bounded queue. */
  next(result: ExecutionResult): Promise<void>;
  end(): void;
}

/** The head of a query or mutation follows its result, because the execution may set cookies. */
function eventsOf({ context, reply, open }: Opening): Events {
  const { scope } = context;
  const leaving = scope.signal; // before the reply is hijacked
  const { raw } = reply;
  let heartbeat: NodeJS.Timeout | undefined;

  function begin() {
    if (heartbeat) return;
    heartbeat = setInterval(() => raw.write(':\n\n'), HEARTBEAT_MS).unref();
    reply.hijack();
    open.add(raw);
    raw.on('error', () => undefined); // a write to a client that has just gone
    raw.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'set-cookie': scope.reply.cookies.map(setCookieHeader),
    });
    raw.flushHeaders();
  }

  return {
    begin,
    async next(result) {
      begin();
      if (leaving.aborted || raw.destroyed) return;
      if (raw.write(`event: next\ndata: ${JSON.stringify(result)}\n\n`)) return;
      await once(raw, 'drain', { signal: leaving }).catch(() => undefined); // the client has gone
    },
    end() {
      clearInterval(heartbeat);
      open.delete(raw);
      raw.end('event: complete\ndata:\n\n');
    },
  };
}
