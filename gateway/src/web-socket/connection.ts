import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import proxyAddr from '@fastify/proxy-addr';
import type { Credentials } from '@foyer/shared/auth/authentication';
import { deviceOf, userAgentOf } from '@foyer/shared/http/request';
import type { WebSocket } from 'ws';

import { forwardedHeaders } from '../forwarded-headers/forwarded-headers.ts';
import type { Needs } from '../request/context.ts';
import { operationContext, type OperationContext } from '@foyer/shared/graphql/operation-context';
import { openCredential } from '../streams/credential.ts';

/** Forbidden, in graphql-transport-ws: the client may come back with a better credential. */
const FORBIDDEN = 4403;

/** A client on a WebSocket that has said who it is. */
export interface Connection {
  /** For a new operation; the credential is looked at again, as it may have been revoked since. */
  context(): Promise<OperationContext>;
  /** Closes with 4403 and says false once the token has expired. */
  stillValid(): boolean;
  /** The client has gone. */
  end(): void;
}

type Params = Readonly<Record<string, unknown>>;

/**
 * Signs a client in: by `connectionParams.authorization`, the `Authorization` header of the upgrade,
 * or the session cookie. When the credential expires or is revoked, the socket is closed with 4403.
 *
 * @throws {Refusal} `UNAUTHENTICATED`; `BAD_USER_INPUT` for what is to be passed on and may not stand in a header
 */
export async function openConnection(
  { authenticate, clock, config }: Pick<Needs, 'authenticate' | 'clock' | 'config'>,
  { socket, request }: { socket: WebSocket; request: IncomingMessage },
  params: Params = {},
): Promise<Connection> {
  const leaving = new AbortController();
  const credential = await openCredential(
    { authenticate, clock, recheckMs: config.streams.recheckMs },
    credentialsOf(request, params),
  );
  const client = {
    address: addressOf(request, config),
    userAgent: userAgentOf(request.headers),
    device: deviceOf(request.headers),
  };
  const forwarded = forwardedHeaders({ ...request.headers, ...textsOf(params) }, config.subgraphs.forwardHeaders);
  const close = (why: string) => socket.close(FORBIDDEN, why);
  credential.watch((why) => close(why === 'expired' ? 'Token expired' : 'Token revoked'));

  return {
    async context() {
      const viewer = await credential.viewer();
      const scope = { requestId: randomUUID(), viewer, client, signal: leaving.signal, reply: { cookies: [] } };
      return operationContext(scope, forwarded);
    },
    stillValid() {
      if (credential.stillValid()) return true;
      close('Token expired');
      return false;
    },
    end() {
      credential.stop();
      leaving.abort();
    },
  };
}

/** The client's address, past the proxies that are trusted. */
export const addressOf = (request: IncomingMessage, { trustedProxies }: Pick<Needs['config'], 'trustedProxies'>) =>
  proxyAddr(request, proxyAddr.compile(trustedProxies));

function credentialsOf({ headers }: IncomingMessage, params: Params): Credentials {
  const given = params['authorization'] ?? params['Authorization'];
  return { authorization: typeof given === 'string' ? given : headers.authorization, cookie: headers.cookie };
}

/** Browsers can't set headers on a WebSocket: what would be one stands in the parameters. */
const textsOf = (params: Params): Record<string, string> =>
  Object.fromEntries(
    Object.entries(params).flatMap(([name, value]) => (typeof value === 'string' ? [[name.toLowerCase(), value]] : [])),
  );
