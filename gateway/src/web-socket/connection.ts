import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

import type { HeaderMap } from '@apollo/server';
import proxyAddr from '@fastify/proxy-addr';
import { acceptedLanguage } from '@foyer/shared/http/language';
import { deviceOf, userAgentOf } from '@foyer/shared/http/request';
import type { Viewer } from '@foyer/shared/auth/viewer';
import { CloseCode } from 'graphql-ws';
import type { WebSocket } from 'ws';

import { isOfClient } from '../header-rules/names.ts';
import { claimsOf, forwardedHeaders } from '../header-rules/request-headers.ts';
import type { Config } from '../config.ts';
import { gatewayContext, type GatewayContext } from '../request/context.ts';
import { headerMapOf } from '../request/http-request.ts';
import type { WebSocketNeeds } from './needs.ts';
import { openCredential } from '../streams/credential.ts';

/** An authenticated client on a WebSocket. */
export interface Connection {
  /** The headers of the upgrade, and those that the texts of `connection_init` add. */
  headers: HeaderMap;
  /** The operations that are being opened or executed, also those that the client has completed meanwhile. */
  running: Set<string>;
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
  const headers = withGreeting(request.headers, params);
  const credential = await openCredential({ authenticate, clock, recheckMs: config.streams.recheckMs }, headers);
  const client = {
    address: addressOf(request, config),
    userAgent: userAgentOf(request.headers),
    device: deviceOf(request.headers),
    language: acceptedLanguage(request.headers['accept-language']),
  };
  const forwardedFor = (viewer: Viewer | null) => forwardedHeaders(headers, config.subgraphs.headers, claimsOf(viewer));
  forwardedFor(null); // refuses the connection for a value that no header may have
  const close = (why: string) => socket.close(CloseCode.Forbidden, why); // it may come back with another credential
  credential.watch((why) => close(why === 'expired' ? 'Token expired' : 'Token revoked'));

  return {
    headers: headerMapOf(headers),
    running: new Set(),
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

/**
 * Browsers can't set headers on a WebSocket: `connectionParams` holds them. Whatever the upgrade has stays as it is, as a proxy
 * may have set it; only a credential may be another one, which is verified.
 */
function withGreeting(headers: IncomingHttpHeaders, params: Params): IncomingHttpHeaders {
  const texts = Object.entries(params).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name.toLowerCase(), value] as const] : [],
  );
  const added = texts.filter(
    ([name]) => name === 'authorization' || (isOfClient(name) && !Object.hasOwn(headers, name)),
  );
  return { ...headers, ...Object.fromEntries(added) };
}
