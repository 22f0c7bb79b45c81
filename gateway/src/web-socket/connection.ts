import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import type { HeaderMap } from '@apollo/server';
import proxyAddr from '@fastify/proxy-addr';
import type { Credentials } from '@foyer/shared/auth/authentication';
import { acceptedLanguage } from '@foyer/shared/http/language';
import { deviceOf, userAgentOf } from '@foyer/shared/http/request';
import type { Viewer } from '@foyer/shared/auth/viewer';
import type { WebSocket } from 'ws';

import { claimsOf, forwardedHeaders } from '../header-rules/request-headers.ts';
import type { Config } from '../config.ts';
import { gatewayContext, type GatewayContext } from '../request/context.ts';
import { headerMapOf } from '../request/http-request.ts';
import type { WebSocketNeeds } from './needs.ts';
import { openCredential } from '../streams/credential.ts';

/** Forbidden (graphql-transport-ws): the client may reconnect with another credential. */
const FORBIDDEN = 4403;

/** An authenticated client on a WebSocket. */
export interface Connection {
  /** The headers of the upgrade, and the texts of `connection_init`. */
  headers: HeaderMap;
  /** The context of a new operation; verifies the credential again, as it may have been revoked. */
  context(): Promise<GatewayContext>;
  /** Returns false, and closes with 4403, once the token has expired. */
  stillValid(): boolean;
  /** The client has gone. */
  end(): void;
}

type Params = Readonly<Record<string, unknown>>;

/**
 * Authenticates a client: by `connectionParams.authorization`, the `Authorization` header of the upgrade,
 * or the session cookie. When the credential expires or is revoked, the socket is closed with 4403.
 *
 * @throws {Refusal} `UNAUTHENTICATED`; `BAD_USER_INPUT` for a value to be forwarded that no header may have
 */
export async function openConnection(
  { authenticate, clock, config }: Pick<WebSocketNeeds, 'authenticate' | 'clock' | 'config'>,
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
    language: acceptedLanguage(request.headers['accept-language']),
  };
  const headers = { ...request.headers, ...textsOf(params) };
  const forwardedFor = (viewer: Viewer | null) => forwardedHeaders(headers, config.subgraphs.headers, claimsOf(viewer));
  forwardedFor(null); // refuses the connection for a value that no header may have
  const close = (why: string) => socket.close(FORBIDDEN, why);
  credential.watch((why) => close(why === 'expired' ? 'Token expired' : 'Token revoked'));

  return {
    headers: headerMapOf(headers),
    async context() {
      const { viewer, access } = await credential.authentication();
      const scope = { requestId: randomUUID(), viewer, access, client, signal: leaving.signal, reply: { cookies: [] } };
      return gatewayContext(scope, { forwarded: forwardedFor(viewer), carriesStreams: true });
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

/** The client's address behind trusted proxies. */
export const addressOf = (request: IncomingMessage, { trustedProxies }: Pick<Config, 'trustedProxies'>) =>
  proxyAddr(request, proxyAddr.compile(trustedProxies));

function credentialsOf({ headers }: IncomingMessage, params: Params): Credentials {
  return { ...headers, ...textsOf(params), cookie: headers.cookie };
}

/** Browsers can't set headers on a WebSocket: `connectionParams` holds them. */
const textsOf = (params: Params): Record<string, string> =>
  Object.fromEntries(
    Object.entries(params).flatMap(([name, value]) => (typeof value === 'string' ? [[name.toLowerCase(), value]] : [])),
  );
