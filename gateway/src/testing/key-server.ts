import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose';

/** An identity provider, as far as a gateway needs one: it signs tokens, and publishes its keys. */
export interface KeyServer {
  url: string;
  /** The headers of each request for its keys. */
  requests: IncomingHttpHeaders[];
  /** Signs a token of its issuer, for an hour. */
  sign(claims?: Record<string, unknown>, options?: SignOptions): Promise<string>;
  /** Adds a key, with which it signs from now on. */
  rotate(): Promise<void>;
  /** Adds a key with which it does not sign, before the others. */
  publish(key: JWK): void;
  /** Where it sends those that ask for its keys, if elsewhere. */
  redirect?: string;
  stop(): Promise<void>;
  /** Starts again at the same address. */
  start(): Promise<void>;
}

interface SignOptions {
  /** Seconds since 1970; null for none. */
  expiresAt?: number | null;
  kid?: string | null;
}

export const ISSUER = 'https://login.example/';

/** @param alg of its keys */
export async function startKeyServer(alg = 'ES256'): Promise<KeyServer> {
  const published: JWK[] = [];
  let current: { kid: string; privateKey: CryptoKey };
  let port = 0;
  let server: Server;
  const keyServer: KeyServer = {
    url: '',
    requests: [],
    sign(claims = {}, { expiresAt = Date.now() / 1_000 + 3_600, kid = current.kid } = {}) {
      const token = new SignJWT({ iss: ISSUER, aud: 'graph', sub: 'u1', ...claims });
      token.setProtectedHeader({ alg, ...(kid !== null && { kid }) });
      if (expiresAt !== null) token.setExpirationTime(Math.floor(expiresAt));
      return token.sign(current.privateKey);
    },
    async rotate() {
      const { publicKey, privateKey } = await generateKeyPair(alg);
      const kid = `key ${published.length + 1}`;
      published.push({ ...(await exportJWK(publicKey)), kid, alg, use: 'sig' });
      current = { kid, privateKey };
    },
    publish: (key) => void published.unshift(key),
    async stop() {
      if (!server.listening) return;
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
    async start() {
      server = createServer((request, response) => {
        keyServer.requests.push(request.headers);
        if (keyServer.redirect !== undefined) response.writeHead(302, { location: keyServer.redirect });
        response.end(JSON.stringify({ keys: published }));
      });
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
      ({ port } = server.address() as AddressInfo);
      keyServer.url = `http://127.0.0.1:${port}/jwks.json`;
    },
  };
  await keyServer.rotate();
  await keyServer.start();
  return keyServer;
}
