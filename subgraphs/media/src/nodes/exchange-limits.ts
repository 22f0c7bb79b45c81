import type { IncomingMessage } from 'node:http';
import { Transform, type Readable } from 'node:stream';

import { nodeTooSlow, requestTooSlow } from './refusals.ts';

export interface ExchangeLimits {
  /** How long a body may stand still, in milliseconds, on its way in or out. */
  idleMs: number;
  /** How long a request and its answer may take together, in milliseconds. */
  totalMs: number;
}

interface Limited {
  /** Aborts, with a refusal as its reason, when the exchange has become too slow. */
  signal: AbortSignal;
  /** The body that goes on to the node; null when there is none. */
  body: Readable | null;
  /** The exchange is over. */
  end(): void;
}

/**
 * Holds what is passed on between a client and a node to its limits. Whether the body of an answer stands still, undici
 * watches (`bodyTimeout`).
 *
 * @param hasBody whether the request has one, which nobody else reads
 */
export function limitExchange(request: IncomingMessage, hasBody: boolean, limits: ExchangeLimits): Limited {
  const tooSlow = new AbortController();
  const giveUp = () => tooSlow.abort(isWaitedFor(request) ? requestTooSlow() : nodeTooSlow());
  const total = setTimeout(giveUp, limits.totalMs).unref();
  const idle = hasBody ? setTimeout(giveUp, limits.idleMs).unref() : undefined;
  return {
    signal: tooSlow.signal,
    body: idle ? metered(request, idle) : null,
    end() {
      clearTimeout(total);
      clearTimeout(idle);
    },
  };
}

/** The same bytes; each puts the timer off. Not a pipeline: that would cut the client off who is still to be answered. */
function metered(request: IncomingMessage, idle: NodeJS.Timeout): Readable {
  const body = new Transform({
    transform(piece, _encoding, done) {
      idle.refresh();
      done(null, piece);
    },
    flush(done) {
      clearTimeout(idle);
      done();
    },
  });
  body.on('error', () => undefined); // undici, while it still reads, has a listener of its own
  request.once('close', () => {
    if (!request.complete) body.destroy(new Error('The client has gone.'));
  });
  return request.pipe(body);
}

/** Whether it is the client that has yet to send: nothing of its body is here that the node could take. */
const isWaitedFor = (request: IncomingMessage) => !request.complete && request.readableLength === 0;
