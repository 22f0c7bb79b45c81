import { request } from 'node:http';

import type { RestRoute } from './tables/rest-routes.ts';

export interface Sent {
  headers?: Record<string, string>;
  type?: string;
  /** Bytes are sent without a type, unless one is given. */
  body?: string | Uint8Array<ArrayBuffer>;
}

/** The answer; only the head of an endless stream. */
export type Answer = Awaited<ReturnType<typeof ask>>;

/** Sends a request unchanged. */
export async function ask(
  server: { url: string },
  { method, path }: Pick<RestRoute, 'method' | 'path'>,
  { headers = {}, type, body }: Sent = {},
) {
  const response = await fetch(new URL(path, server.url), {
    method,
    redirect: 'manual',
    headers: { ...(type !== undefined && { 'content-type': type }), ...headers },
    ...(body !== undefined && { body }),
    signal: AbortSignal.timeout(60_000),
  });
  const endless = response.headers.get('content-type')?.startsWith('text/event-stream');
  if (endless) await response.body?.cancel();
  return { status: response.status, headers: response.headers, text: endless ? '' : await response.text() };
}

/** The keys of the routes whose answers match. */
export async function those(
  server: { url: string },
  among: readonly RestRoute[],
  sent: Sent,
  isSuch: (answer: Answer, route: RestRoute) => boolean,
) {
  const found: string[] = [];
  for (const route of among) if (isSuch(await ask(server, route, sent), route)) found.push(route.key);
  return found;
}

/** The status that answers the request for a WebSocket; 101 where it is opened. */
export function upgrade(server: { url: string }, path: string, headers: Record<string, string>): Promise<number> {
  const key = { 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==', 'sec-websocket-version': '13' };
  const outgoing = request(new URL(path, server.url), {
    headers: { connection: 'Upgrade', upgrade: 'websocket', ...key, ...headers },
  });
  return new Promise((resolve, reject) => {
    outgoing.on('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    outgoing.on('upgrade', (_response, socket) => {
      socket.destroy();
      resolve(101);
    });
    outgoing.on('error', reject).end();
  });
}
