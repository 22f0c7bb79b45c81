import type { Socket } from 'node:net';

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { Refusal } from '../errors.ts';

/** The limits of a server against slow, many or malicious clients. */
export interface ServerLimits {
  /** How long the head of a request may take. */
  headersMs: number;
  /** How long a body may take that is read as a whole; uploads are not, and have a limit of their own. */
  bodyMs: number;
  /** How long a connection may be idle, as when its client has gone. */
  idleMs: number;
  /** The most connections at once; further ones are closed without an answer. */
  connections: number;
}

export const serverLimits: ServerLimits = { headersMs: 15_000, bodyMs: 30_000, idleMs: 120_000, connections: 10_000 };

/** For Fastify's option `http`: also disconnects clients that send nothing. */
export const headLimits = ({ headersMs }: ServerLimits) => ({
  headersTimeout: headersMs,
  connectionsCheckingInterval: headersMs / 5,
});

const tooSlow = () => new Refusal('REQUEST_TIMEOUT', 'REQUEST_TIMEOUT', 'The request came too slowly.');

const encoded = () =>
  new Refusal('UNSUPPORTED_MEDIA_TYPE', 'CONTENT_ENCODED', 'Compressed bodies are not taken: send it as it is.');

/**
 * Enforces the limits of a server. A trickling body would otherwise hold its connection for days, and Node's own limit for
 * whole requests can't be used because uploads may take as long.
 */
export function holdToLimits(app: FastifyInstance, { bodyMs, connections }: ServerLimits): void {
  /** The requests whose bodies are being read, with their deadlines. */
  const reading = new Map<FastifyReply, number>();

  function look() {
    const now = performance.now();
    for (const [reply, until] of reading) {
      const { raw } = reply.request;
      const done = raw.complete || raw.destroyed;
      if (!done && now <= until) continue;
      reading.delete(reply);
      if (done || raw.listenerCount('error') === 0) continue;
      reply.header('connection', 'close');
      raw.emit('error', Object.assign(tooSlow(), { statusCode: 408 })); // for the reader of the body
    }
  }
  const looking = setInterval(look, bodyMs / 10).unref();

  app.server.maxConnections = connections;
  app.addHook('onRequest', (request, reply, done) => {
    if (!hasBody(request)) return done();
    if (isEncoded(request)) return done(encoded());
    reading.set(reply, performance.now() + bodyMs);
    done();
  });
  app.addHook('preValidation', (_request, reply, done) => {
    reading.delete(reply);
    done();
  });
  app.addHook('onSend', (request, _reply, payload, done) => {
    if (hasBody(request) && !request.raw.complete) lingerOnClose(request.raw.socket);
    done(null, payload);
  });
  app.addHook('onClose', async () => clearInterval(looking));
}

/** How long a client may go on sending after it got its answer. */
const LINGER_MS = 2_000;

/**
 * Lets the client read its answer while it still sends a body that nobody wants: when a server closes such a connection at
 * once, the client's system may throw away what it has received (RFC 9112, section 9.6). Node has no option for it: after an
 * answer with `connection: close` its HTTP server calls `destroySoon` of the socket, so this one is replaced.
 */
function lingerOnClose(socket: Socket): void {
  socket.destroySoon = () => {
    const cutOff = setTimeout(() => socket.destroy(), LINGER_MS).unref();
    socket.once('close', () => clearTimeout(cutOff)).end();
  };
}

const hasBody = ({ headers }: FastifyRequest) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Whether a body is compressed that we parse ourselves; bytes that are only stored or forwarded may be. */
const isEncoded = ({ headers }: FastifyRequest) =>
  (headers['content-encoding'] ?? 'identity') !== 'identity' &&
  /^application\/(?:.*\+)?(?:json|x-www-form-urlencoded)/.test(headers['content-type'] ?? '');
