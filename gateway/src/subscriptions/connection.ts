import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import proxyAddr from '@fastify/proxy-addr';
import type { Authenticate, Credentials } from '@foyer/shared/authentication';
import type { Clock } from '@foyer/shared/clock';
import { isForeign } from '@foyer/shared/origin';
import type { RequestScope } from '@foyer/shared/request';
import { unauthenticated, type Viewer } from '@foyer/shared/viewer';
import type { WebSocket } from 'ws';

import type { Config } from '../config.ts';

/** Forbidden, in graphql-transport-ws: the client may come back with a better credential. */
const FORBIDDEN = 4403;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

interface Needs {
  authenticate: Authenticate;
  clock: Clock;
  config: Config;
}

/** A client on a WebSocket that has said who it is. */
export interface Connection {
  /** The scope of a new operation; the credential is looked at again, as it may have been revoked since. */
  scope(): Promise<RequestScope>;
  /** Closes with 4403 and says false once the token has expired. */
  stillValid(): boolean;
  /** The client has gone. */
  end(): void;
}

/**
 * Signs a client in: by `connectionParams.authorization`, the `Authorization` header of the upgrade,
 * or the session cookie, which counts only from pages that may use it.
 *
 * @throws {Refusal} `UNAUTHENTICATED`, also for a cookie that a foreign page sends
 */
export async function openConnection(
  { authenticate, clock, config }: Needs,
  { socket, request }: { socket: WebSocket; request: IncomingMessage },
  params: Readonly<Record<string, unknown>> | undefined,
): Promise<Connection> {
  const leaving = new AbortController();
  const credentials = credentialsOf(request, params);
  const client = {
    address: proxyAddr(request, proxyAddr.compile(config.trustedProxies)),
    userAgent: request.headers['user-agent'] ?? '',
  };
  const foreign = isForeign(request.headers, config.allowedOrigins);

  async function signIn(): Promise<Viewer | null> {
    const { viewer, by } = await authenticate(credentials);
    if (by === 'cookie' && foreign) throw unauthenticated();
    return viewer;
  }
  const signedInAs = await signIn();
  const expiresAtMs = expiryOf(signedInAs);

  const stillValid = () => {
    if (clock.now().getTime() < expiresAtMs) return true;
    socket.close(FORBIDDEN, 'Token expired');
    return false;
  };
  const timer = whenExpired(expiresAtMs, clock, stillValid);

  return {
    async scope() {
      const viewer = await signIn();
      if (signedInAs && !viewer) throw unauthenticated();
      return { requestId: randomUUID(), viewer, client, signal: leaving.signal, reply: { cookies: [] } };
    },
    stillValid,
    end() {
      timer.stop();
      leaving.abort();
    },
  };
}

function credentialsOf({ headers }: IncomingMessage, params: Readonly<Record<string, unknown>> = {}): Credentials {
  const given = params['authorization'] ?? params['Authorization'];
  return { authorization: typeof given === 'string' ? given : headers.authorization, cookie: headers.cookie };
}

/** In milliseconds since 1970; a viewer without a token never expires. */
const expiryOf = (viewer: Viewer | null): number =>
  viewer && 'expiresAt' in viewer ? viewer.expiresAt * 1_000 : Number.POSITIVE_INFINITY;

/** Looks when the time has come, as an idle stream has no events to look at. */
function whenExpired(expiresAtMs: number, clock: Clock, stillValid: () => boolean) {
  let timer: NodeJS.Timeout | undefined;
  const arm = () => {
    if (expiresAtMs === Number.POSITIVE_INFINITY || !stillValid()) return;
    timer = setTimeout(arm, Math.min(expiresAtMs - clock.now().getTime(), LONGEST_TIMER_MS)).unref();
  };
  arm();
  return { stop: () => clearTimeout(timer) };
}
