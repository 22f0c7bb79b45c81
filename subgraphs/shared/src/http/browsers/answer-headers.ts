import type { FastifyInstance } from 'fastify';

/** Seconds for which a browser that was here over https comes back by nothing else (RFC 6797). */
const HTTPS_ONLY_SECONDS = 365 * 86_400;

/** For an answer that says nothing else: kept by nobody, and never taken for another type than it names. */
export const privateHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const;

/** What every answer of a server carries. */
export const answerHeaders = ({ httpsOnly = false }: { httpsOnly?: boolean }): Readonly<Record<string, string>> => ({
  ...privateHeaders,
  ...(httpsOnly && { 'strict-transport-security': `max-age=${HTTPS_ONLY_SECONDS}` }),
});

/**
 * Gives every answer these headers, whoever writes it; a route that may be cached says so itself, by a `Cache-Control` of
 * its own. To be called before anything that answers.
 */
export function addToAnswers(app: FastifyInstance, headers: Readonly<Record<string, string>>): void {
  app.addHook('onRequest', (_request, reply, done) => {
    for (const [name, value] of Object.entries(headers)) reply.raw.setHeader(name, value);
    done();
  });
}
