import type { IncomingMessage } from 'node:http';
import { Transform, type Readable } from 'node:stream';

import { nodeTooSlow, requestTooSlow } from './refusals.ts';

export interface ExchangeLimits {
  /** How long a body, in either direction, may be idle, in milliseconds. */
  idleMs: number;
  /** How long request and response may take together, in milliseconds. */
  totalMs: number;
}

interface Limited {
  /** Aborts, with a refusal as its reason, when the exchange is too slow. */
  signal: AbortSignal;
  /** The body to send to the node; null when there is none. */
  body: Readable | null;
  /** Must be called when the exchange is over. */
  end(): void;
}

/**
 * Applies limits to an exchange between a client and a node. undici watches for idle response bodies itself
 * (`bodyTimeout`).
 *
 * @param hasBody whether the request has a body, which nobody else reads
 */
export function limitExchange(request: IncomingMessage, hasBody: boolean, limits: ExchangeLimits): Limited {
  const tooSlow = new AbortController();
  const abort = () => tooSlow.abort(awaitsClient(request) ? requestTooSlow() : nodeTooSlow());
  const total = setTimeout(abort, limits.totalMs).unref();
  const idle = hasBody ? setTimeout(abort, limits.idleMs).unref() : undefined;
  return {
    signal: tooSlow.signal,
    body: idle ? metered(request, idle) : null,
    end() {
      clearTimeout(total);
      clearTimeout(idle);
    },
  };
}

/** Passes the bytes on, and each refreshes the timer. Not a pipeline, which would disconnect a client that still awaits its response. */
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
  body.on('error', () => undefined); // while undici reads, it has a listener of its own
  request.once('close', () => {
    if (!request.complete) body.destroy(new Error('The client has gone.'));
  });
  return request.pipe(body);
}

/** Whether the exchange waits for the client: it has not sent all, and nothing is buffered that the node could read. */
const awaitsClient = (request: IncomingMessage) => !request.complete && request.readableLength === 0;
