import { PassThrough } from 'node:stream';

import { authenticateRequest, type Authenticate, type Credentials } from '@foyer/shared/auth/authentication';
import { Refusal } from '@foyer/shared/errors';
import { requireStaff, type Staff } from '@foyer/shared/auth/viewer';
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';

import type { Services } from '../context.ts';
import type { RevokedSession } from './revoked-session.ts';
import { watchSessions } from './watch-sessions.ts';

interface Needs extends Pick<Services, 'db' | 'events' | 'rights' | 'clock' | 'log' | 'streams'> {
  authenticate: Authenticate;
  heartbeatMs: number;
}

/** How long a browser waits before it reconnects. */
const RETRY_MS = 3_000;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * `GET /api/v1/sessions/stream`: the viewer's ended sessions as server-sent events, with ids; a client that reconnects
 * with `Last-Event-ID` gets what it missed. Ends when the token does.
 */
export const sessionStream =
  (needs: Needs): FastifyPluginAsync =>
  async (app) => {
    const closing = new AbortController();
    app.addHook('preClose', () => closing.abort()); // an open stream would keep the server from closing

    for (const url of ['/api/v1/sessions/stream', '/sessions/stream']) {
      app.route({
        method: 'GET',
        url,
        exposeHeadRoute: false,
        async handler(request, response) {
          const leaving = new AbortController(); // the client may leave while it is authenticated
          response.raw.once('close', () => leaving.abort());
          const { authorization, cookie } = request.headers;
          const authentication = await authenticateRequest(needs.authenticate, { authorization, cookie }, 'required');
          const viewer = requireStaff(authentication.viewer);
          // The same credential must stay valid: the cookie does not replace a bearer token that ends.
          const credentials = authentication.by === 'cookie' ? { cookie } : { authorization };
          const over = AbortSignal.any([leaving.signal, closing.signal]);
          return response
            .type('text/event-stream; charset=utf-8')
            .headers({ 'cache-control': 'no-store', 'x-accel-buffering': 'no' })
            .send(await openStream(needs, { viewer, credentials }, request, over));
        },
      });
    }
  };

type Proved = { viewer: Staff; credentials: Credentials };

async function openStream(
  needs: Needs,
  { viewer, credentials }: Proved,
  { headers }: FastifyRequest,
  over: AbortSignal,
) {
  const ending = new AbortController();
  const signal = AbortSignal.any([over, ending.signal]);
  const lastEventId = headers['last-event-id'];
  const { after, revoked } = await watchSessions(
    { ...needs, viewer, signal },
    typeof lastEventId === 'string' ? lastEventId : null,
  );

  const stream = new PassThrough();
  // An id without data is no event: it only tells a client where to resume.
  stream.write(`retry: ${RETRY_MS}\nid: ${after}\n\n`);
  const timers = watchToken(needs, viewer, credentials, {
    alive: () => stream.write(': alive\n\n'),
    expired: () => ending.abort(),
  });
  pump(revoked, stream)
    .catch((error: unknown) => needs.log.error({ err: error }, 'a session stream broke off'))
    .finally(() => {
      timers.stop();
      stream.end();
    });
  return stream;
}

async function pump(revoked: AsyncIterableIterator<RevokedSession>, stream: PassThrough): Promise<void> {
  for await (const { id, sessionId, reason, at } of revoked) {
    const data = JSON.stringify({ session_id: sessionId, reason, at });
    stream.write(`event: session_revoked\nid: ${id}\ndata: ${data}\n\n`);
  }
}

/** Keeps the connection alive, and checks with each heartbeat whether the token still counts. */
function watchToken(
  { authenticate, clock, log, heartbeatMs }: Needs,
  { expiresAt }: Staff,
  credentials: Credentials,
  then: { alive(): void; expired(): void },
) {
  const lifeMs = expiresAt * 1_000 - clock.now().getTime();
  const expiry = setTimeout(then.expired, Math.min(Math.max(lifeMs, 0), LONGEST_TIMER_MS)).unref();
  const beat = setInterval(() => {
    then.alive();
    authenticate(credentials).then(
      ({ viewer }) => viewer ?? then.expired(),
      (error: unknown) => {
        if (error instanceof Refusal && error.code === 'UNAUTHENTICATED') then.expired();
        else log.warn({ err: error }, 'the token of a session stream could not be checked');
      },
    );
  }, heartbeatMs).unref();
  return {
    stop() {
      clearTimeout(expiry);
      clearInterval(beat);
    },
  };
}
