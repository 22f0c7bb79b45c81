import { once } from 'node:events';

import { setCookieHeader } from '@foyer/shared/http/error-body';
import type { FastifyReply } from 'fastify';
import type { ExecutionResult, GraphQLError } from 'graphql';

import type { GatewayContext } from '../request/context.ts';

/** Writes results into a response, one after another. */
export interface ResultWriter {
  /**
   * Writes the head of the response, unless it was written.
   *
   * @param headers those that plugins have set
   */
  begin(headers?: Iterable<[string, string]>): void;
  /** Waits for a slow client; meanwhile its events wait in the stream's bounded queue. */
  next(result: ExecutionResult): Promise<void>;
  /** Tells the client why its stream ends early. */
  broken(error: GraphQLError): Promise<void>;
  end(): void;
}

/** A format of streamed responses. */
interface Format {
  contentType: string;
  /** What comes before the first result. */
  begin: string;
  /** Keeps proxies from closing a quiet stream. */
  heartbeat: string;
  result(result: ExecutionResult): string;
  broken(error: GraphQLError): string;
  end: string;
}

/** `next` with each result, then `complete` (graphql-sse, distinct connections mode). */
const serverSentEvents: Format = {
  contentType: 'text/event-stream; charset=utf-8',
  begin: '',
  heartbeat: ':\n\n',
  result: (result) => `event: next\ndata: ${JSON.stringify(result)}\n\n`,
  broken: (error) => `event: next\ndata: ${JSON.stringify({ errors: [error] })}\n\n`,
  end: 'event: complete\ndata:\n\n',
};

const part = (body: object) => `\r\ncontent-type: application/json\r\n\r\n${JSON.stringify(body)}\r\n--graphql`;

/**
 * One part for each result (Apollo's multipart HTTP protocol for subscriptions, `subscriptionSpec=1.0`). Each is followed by
 * the boundary at once: clients read a part when they have seen its end.
 */
const multipart: Format = {
  contentType: 'multipart/mixed; boundary="graphql"; subscriptionSpec=1.0',
  begin: '\r\n--graphql',
  heartbeat: part({}),
  result: (payload) => part({ payload }),
  broken: (error) => part({ payload: null, errors: [error] }),
  end: '--\r\n',
};

const formats = { 'text/event-stream': serverSentEvents, 'multipart/mixed': multipart };

export type StreamType = keyof typeof formats;

/** The interval of heartbeats; Apollo's clients expect one every few seconds, proxies within a minute. */
const HEARTBEAT_MS = 5_000;

interface Into {
  context: GatewayContext;
  reply: FastifyReply;
  /** The open responses: destroyed when the server closes, so that clients reconnect. */
  open: Set<FastifyReply['raw']>;
}

/** The head of the response follows the first result of a query or mutation, because the execution may set cookies. */
export function resultWriter(type: StreamType, { context, reply, open }: Into): ResultWriter {
  const format = formats[type];
  const { scope } = context;
  const leaving = scope.signal; // before the reply is hijacked
  const { raw } = reply;
  let heartbeat: NodeJS.Timeout | undefined;

  function begin(headers: Iterable<[string, string]> = []) {
    if (heartbeat) return;
    heartbeat = setInterval(() => raw.write(format.heartbeat), HEARTBEAT_MS).unref();
    reply.hijack();
    open.add(raw);
    raw.on('error', () => undefined); // a write to a client that has just gone
    raw.writeHead(200, {
      ...Object.fromEntries(headers),
      'content-type': format.contentType,
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'set-cookie': scope.reply.cookies.map(setCookieHeader),
    });
    if (format.begin) raw.write(format.begin);
    else raw.flushHeaders();
  }
  async function write(text: string) {
    begin();
    if (leaving.aborted || raw.destroyed || raw.write(text)) return;
    await once(raw, 'drain', { signal: leaving }).catch(() => undefined); // the client has gone
  }
  return {
    begin,
    next: (result) => write(format.result(result)),
    broken: (error) => write(format.broken(error)),
    end() {
      if (!heartbeat) return;
      clearInterval(heartbeat);
      open.delete(raw);
      raw.end(format.end);
    },
  };
}
