import { expect } from 'vitest';

import { holds, type Row } from './row.ts';
import type { Answer, Headers, Server } from './server.ts';

export const openness = '0009-rest-openness';

/**
 * A route that the documents leave without authentication. With `REST_AUTH=documented` nobody needs a token; with `strict`
 * everybody does, by decision.
 *
 * @param ask sends the request, with these headers besides its own
 * @param so checks the response
 * @param withToken the headers of a permitted caller, where a token is required
 */
export function open(
  ask: (server: Server, headers: Headers) => Promise<Answer>,
  so: (answer: Answer, server: Server) => void | Promise<void>,
  withToken: (server: Server) => Promise<Headers> = async (server) => (await server.acmeAdmin()).headers,
): Row {
  const check = async (server: Server) => {
    const stranger = await ask(server, {});
    if (server.mode === 'documented') return so(stranger, server);
    expect([stranger.status, stranger.json?.code]).toEqual([401, 'UNAUTHENTICATED']);
    return so(await ask(server, await withToken(server)), server);
  };
  return { ...holds(check, 'strict mode asks for a token'), decision: openness };
}
