import { once } from 'node:events';

import { isForeign } from '@foyer/shared/origin';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { GraphQLError, OperationTypeNode, type ExecutionResult } from 'graphql';

import { NotAdmitted } from '../admission.ts';
import type { Asked } from '../asked.ts';
import { publicErrorOf } from '../errors.ts';
import { asOperation } from '../operation-span.ts';
import type { State } from '../state.ts';
import { openCredential, type Credential } from '../subscriptions/credential.ts';
import type { Needs, Who } from './context.ts';
import { foreignOrigin, protocolError } from './refusals.ts';

interface Opening {
  asked: Asked;
  state: State;
  release(): void;
  who: Who;
  request: FastifyRequest;
  reply: FastifyReply;
  /** The answers that are open: broken off when the house closes, so that clients come back. */
  open: Set<FastifyReply['raw']>;
}

/** Keeps proxies from taking a quiet stream for a dead one. */
const HEARTBEAT_MS = 12_000;

/**
 * Answers in events, by the protocol graphql-sse (distinct connections mode): `next` with each result,
 * then `complete`. What is wrong with the document is a result too; who may not ask at all has been
 * told before, by a status.
 */
export async function eventStream(needs: Needs, opening: Opening): Promise<FastifyReply> {
  const { reply, release, who, open } = opening;
  const leaving = who.context.scope.signal; // before the reply is hijacked
  reply.hijack();
  const { raw } = reply;
  open.add(raw);
  raw.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    connection: 'keep-alive',
    'x-accel-buffering': 'no',
  });
  raw.flushHeaders();
  const heartbeat = setInterval(() => raw.write(':\n\n'), HEARTBEAT_MS).unref();
  let results: AsyncIterableIterator<ExecutionResult> | undefined;
  let credential: Credential | undefined;
  const ending: { why?: GraphQLError } = {};
  const stop = () => void results?.return?.();
  leaving.addEventListener('abort', stop, { once: true });
  try {
    results = await asOperation(who.context, () => resultsOf(needs, opening));
    credential = await credentialOf(needs, opening);
    credential?.watch((why) => {
      ending.why = noLonger(why, who);
      stop();
    });
    for await (const result of results) await write(raw, 'next', result, leaving);
    if (ending.why) await write(raw, 'next', { errors: [ending.why] }, leaving);
  } catch (error) {
    await write(raw, 'next', { errors: shown(needs, opening, error) }, leaving);
  } finally {
    credential?.stop();
    stop(); // also where the credential no longer held
    clearInterval(heartbeat);
    open.delete(raw);
    release();
    raw.end('event: complete\ndata:\n\n');
  }
  return reply;
}

async function resultsOf(needs: Needs, opening: Opening): Promise<AsyncIterableIterator<ExecutionResult>> {
  const { asked, state, who, request } = opening;
  const admitted = needs.admission.admit(asked, state.supergraph);
  const { operation } = admitted.planned.operation;
  if (operation === OperationTypeNode.MUTATION) {
    if (request.method === 'GET') throw protocolError(405, 'GET takes queries and subscriptions only.');
    if (who.foreign) throw foreignOrigin();
  }
  if (operation !== OperationTypeNode.SUBSCRIPTION) return one(await needs.execute(state, admitted, who.context));
  const results = await needs.streams.open(state, admitted, who.context);
  if ('errors' in results) throw new NotAdmitted(results.errors);
  return results;
}

async function* one(result: ExecutionResult) {
  yield result;
}

/** A stream may last longer than the credential that opened it. */
async function credentialOf(needs: Needs, { request, who }: Opening): Promise<Credential | undefined> {
  const { clock, config, authenticate } = needs;
  if (!who.context.scope.viewer) return undefined;
  return openCredential({ authenticate, clock, recheckMs: config.streams.recheckMs }, request.headers, {
    cookie: !isForeign(request.headers, config.allowedOrigins) || !who.foreign,
  });
}

const noLonger = (why: 'expired' | 'revoked', { context }: Who) =>
  new GraphQLError(why === 'expired' ? 'The token has expired.' : 'The token was revoked.', {
    extensions: {
      code: 'UNAUTHENTICATED',
      reason: why === 'expired' ? 'TOKEN_EXPIRED' : 'TOKEN_REVOKED',
      requestId: context.scope.requestId,
    },
  });

function shown({ log }: Needs, { who }: Opening, error: unknown): readonly GraphQLError[] {
  const where = { requestId: who.context.scope.requestId, log };
  const errors = error instanceof NotAdmitted ? error.errors : [error];
  return errors.map((one) => (hasRequestId(one) ? one : publicErrorOf(one, where)));
}

/** What a stream could not be opened for is told as clients get it already. */
const hasRequestId = (error: unknown): error is GraphQLError =>
  error instanceof GraphQLError && error.extensions['requestId'] !== undefined;

/** Waits for a client that reads slowly: meanwhile its events are in the stream's bounded queue. */
async function write(
  raw: FastifyReply['raw'],
  event: 'next',
  result: ExecutionResult,
  leaving: AbortSignal,
): Promise<void> {
  if (leaving.aborted || raw.destroyed) return;
  if (raw.write(`event: ${event}\ndata: ${JSON.stringify(result)}\n\n`)) return;
  await once(raw, 'drain', { signal: leaving }).catch(() => undefined); // the client has gone
}
